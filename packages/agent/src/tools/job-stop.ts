import { z } from "zod";
import { inOneLine } from "../lease/quoted.ts";
import { failed, tool } from "./tool.ts";

export const jobStop = tool({
  name: "job_stop",
  description: "Ends a background job. What it changed and hadn't ended by itself is not kept.",
  input: z.strictObject({ job: z.string() }),
  comesWith: ["bash"],
  tells: ({ job }) => job,
  onlyEnds: true,
  needs: () => [],
  async run({ job }, { mayTell, work }) {
    const running = work.jobs.get(job);
    if (running === undefined) return failed(`there is no job '${inOneLine(job)}' in this task`);
    const already = running.outcome !== undefined;
    running.stop();
    const { text } = await running.ended;
    const how = already ? "it had ended by itself" : "it was stopped";
    return { status: "ok", text: mayTell ? `${how}. ${text}` : how };
  },
});
