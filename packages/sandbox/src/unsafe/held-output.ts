import type { Socket } from "node:net";
import { PassThrough, type Readable } from "node:stream";

const LOOK_MS = 100;
/** So many looks at somebody else's output are enough: a second. */
const MOST_LOOKS = 10;
/** More than any pipe holds: what comes after so much was written after the command's end. */
const MOST_BYTES = 1024 * 1024;

/**
 * A command's output, which ends soon after the command. Somebody who couldn't be found may still hold the other end, and
 * write to it: the reader waits for nobody. All that the command itself wrote is given out.
 */
export function endingWith(source: Socket, ended: Promise<unknown>): Readable {
  const output = new PassThrough();
  source.pipe(output);
  output.once("close", () => source.destroy()); // nobody reads it any more: whoever writes hears of it
  void ended.then(() => endSoon(source, output));
  return output;
}

function endSoon(source: Socket, output: PassThrough): void {
  const before = source.bytesRead;
  let [last, looks] = [-1, 0];
  const timer = setInterval(() => {
    // While the reader is slow, there may be more of the command's own in the pipe.
    if (output.writableNeedDrain && source.bytesRead - before < MOST_BYTES) return;
    if (source.bytesRead !== last && ++looks < MOST_LOOKS && source.bytesRead - before < MOST_BYTES) {
      last = source.bytesRead;
      return;
    }
    clearInterval(timer);
    end(source, output);
  }, LOOK_MS).unref(); // whoever reads keeps this process alive
  output.once("close", () => clearInterval(timer));
}

function end(source: Socket, output: PassThrough): void {
  source.unpipe(output);
  for (let rest = source.read(); rest !== null; rest = source.read()) output.write(rest);
  output.end();
  source.destroy();
}
