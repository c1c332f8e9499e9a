import { z } from "zod";
import { failed, tool } from "./tool.ts";

export const jobStop = tool({
  name: "job_stop",
  description: "Ends a background job. What it changed and hadn't ended by itself is not kept.",
  input: z.strictObject({ job: z.string() }),
  comesWith: ["bash"],
  needs: () => [],
  async run({ job }, { work }) {
    const running = work.jobs.get(job);
    if (running === undefined) return failed(`there is no job '${job}' in this task`);
    const already = running.outcome !== undefined;
    running.stop();
    const { text } = await running.ended;
    return { status: "ok", text: `${already ? "it had ended by itself" : "it was stopped"}. ${text}` };
  },
});
