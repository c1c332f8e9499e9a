import { expect, test } from "vitest";
import { textLines } from "./text-lines.ts";

test("TOOL-13: a text is read no further than up to a stop, however far the line is that is wanted", async () => {
  const stop = new AbortController();
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      if (read === 3) stop.abort(new Error("that is enough"));
      if (read > 100) throw new Error("it was read on");
      yield Buffer.from("a line\n");
    }
  }
  await expect(textLines(endless(), { offset: 1_000_000, signal: stop.signal })).rejects.toThrow("that is enough");
  expect(read).toBe(3);
});
