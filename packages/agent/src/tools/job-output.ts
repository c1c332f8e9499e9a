import { type Id, recognise } from "@choiros/contract";
import { z } from "zod";
import { inOneLine } from "../lease/quoted.ts";
import { MOST_BYTES, wholeEnd, wholeStart } from "./bounded.ts";
import { type Context, failed, type Told, tool } from "./tool.ts";

export const jobOutput = tool({
  name: "job_output",
  description: `What a background job has said, or what any earlier call of this task said, from a byte on: ${MOST_BYTES / 1024} KB at once. Without an offset, the end of it.`,
  input: z.strictObject({ job: z.string(), offset: z.int().min(0).optional() }),
  comesWith: "any",
  tells: ({ job }) => job,
  mostBytes: 2 * MOST_BYTES,
  needs: () => [],
  async run({ job, offset }, context) {
    const running = context.work.jobs.get(job);
    const said = running?.outcome === undefined ? await running?.said() : undefined;
    if (said === undefined)
      await running?.ended; // what the log says of it holds
    else {
      const { from } = said;
      const bytes = wholeEnd(Buffer.from(said.bytes)); // the rest of a character is still to come
      const skip = offset === undefined ? Math.max(0, bytes.length - MOST_BYTES) : Math.max(0, offset - from);
      return page(`job ${job} runs`, bytes.subarray(skip), from + skip, from + bytes.length);
    }
    const output = await outputOf(job, context);
    if (output === undefined) return failed(`there is no job or call '${inOneLine(job)}' in this task`);
    if (output.content === undefined)
      return { status: "ok", text: output.denied ? output.how : `${output.how}; it said nothing` };
    const { hash, size } = output.content;
    const from = Math.min(offset ?? Math.max(0, size - MOST_BYTES), size);
    const bytes = await upTo((await context.work.computer.contents.get(hash, from)) ?? nothing(), MOST_BYTES);
    return page(output.how, bytes, from, size);
  },
});

function page(how: string, bytes: Uint8Array, from: number, size: number): Told {
  const rest = from > 0 ? wholeStart(Buffer.from(bytes)) : Buffer.from(bytes);
  const begin = from + bytes.length - rest.length;
  const most = rest.subarray(0, MOST_BYTES);
  const part = begin + most.length < size ? wholeEnd(most) : most;
  const to = begin + part.length;
  const more = to < size ? `; more from offset ${to}` : "";
  return { status: "ok", text: `${how}; bytes ${begin} to ${to} of ${size}${more}:\n${part.toString("utf8")}` };
}

/** Only of this task, or of the Director itself: what another one was allowed to read isn't this one's to see. */
async function outputOf(call: Id, { work }: Context) {
  const { ask, task } = work.cause;
  if (ask === undefined || !/^[\w-]{1,64}$/.test(call)) return undefined;
  for await (const event of work.computer.log.read({ cause: { ask, call }, types: ["tool.result"] })) {
    if (event.cause?.task !== task) continue;
    const known = recognise(event);
    if (!known.ok || known.value.type !== "tool.result") continue;
    const { status, exit, output, reason } = known.value.payload;
    const how = exit === undefined ? `ended: ${status}` : `exit ${exit}`;
    const told = reason === undefined || reason.includes("\n") ? how : `${how} (${reason})`;
    return { how: told, denied: status === "denied", content: output };
  }
  return undefined;
}

async function upTo(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.length;
    if (size >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
