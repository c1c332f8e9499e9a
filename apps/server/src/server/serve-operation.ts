import type { IncomingMessage, ServerResponse } from "node:http";
import { type Operation, type Place, seldom, type Work } from "@choiros/gateway/operations";
import {
  BEAT,
  BrokenFrames,
  byteFrames,
  FRAMES_TYPE,
  type Frame,
  readFrames,
  send,
  valueFrame,
  valueIn,
} from "../access/frames.ts";
import { CommandError } from "../command-error.ts";

interface Wire {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly stopping: AbortSignal;
  /** Whoever asked wants it to end, and to hear what came of it. */
  readonly stopped?: AbortSignal;
}

/** Runs an operation for somebody at the other end of a socket. Never rejects: what fails is told there, if anybody listens. */
export async function serveOperation(
  operation: Operation<unknown, unknown, unknown>,
  place: Place,
  wire: Wire,
): Promise<void> {
  const { request, response, stopping, stopped } = wire;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.on("error", () => {}); // its sender hears of it
  const signal = AbortSignal.any([gone.signal, stopping, ...(stopped === undefined ? [] : [stopped])]);
  // Whose input isn't taken can't be heard hanging up; but speaking to them tells.
  const beat = setInterval(() => response.writableNeedDrain || response.destroyed || response.write(BEAT), BEAT_MS);
  try {
    response.writeHead(200, { "content-type": FRAMES_TYPE }).flushHeaders();
    // What isn't read of the request is thrown away by the server: taking the stream down would take the answer with it.
    const frames = readFrames(request.iterator({ destroyOnReturn: false }));
    const asked = await requestIn(operation, frames);
    const answer = await operation.run(place, asked, workOn(response, frames, signal));
    await send(response, valueFrame("answer", answer));
  } catch (error) {
    if (stopping.aborted) return void response.destroy(); // whatever it says: the server has gone away
    const message = error instanceof Error ? error.message : String(error);
    if (!response.destroyed) response.write(valueFrame("failed", { message }));
  } finally {
    clearInterval(beat);
  }
  response.end();
}

async function requestIn(
  operation: Operation<unknown, unknown, unknown>,
  frames: AsyncGenerator<Frame, void>,
): Promise<unknown> {
  const { value: first } = await frames.next();
  if (first?.kind !== "request") throw new BrokenFrames("there was no request");
  const parsed = operation.request.safeParse(valueIn(first));
  if (parsed.success) return parsed.data;
  throw new CommandError("the server is of another version than this command: stop it, and start it anew");
}

function workOn(response: ServerResponse, frames: AsyncGenerator<Frame, void>, signal: AbortSignal): Work<unknown> {
  return {
    input: inputIn(frames),
    async output(bytes) {
      for (const frame of byteFrames(bytes)) await send(response, frame);
    },
    async aside(bytes) {
      for (const frame of byteFrames(bytes, "aside")) await send(response, frame);
    },
    item: (value) => send(response, valueFrame("item", value)),
    progress: seldom((progress) => {
      if (!response.destroyed && !response.writableNeedDrain) response.write(valueFrame("progress", progress));
    }),
    signal,
  };
}

async function* inputIn(frames: AsyncGenerator<Frame, void>): AsyncGenerator<Uint8Array> {
  for await (const { kind, payload } of frames) {
    if (kind === "end") return;
    if (kind !== "bytes") throw new BrokenFrames(`'${kind}' is nothing to read`);
    yield payload;
  }
  throw new BrokenFrames("the input broke off");
}

const BEAT_MS = 1000;
