import { describe, expect, test } from "vitest";
import { runSuite } from "../run.suite.ts";
import { terminalSuite } from "../terminal.suite.ts";
import { tell, withSandbox } from "../testing/place.ts";

describe("unsafe", () => {
  test.each([...runSuite, ...terminalSuite])("$name", ({ run }) => run("unsafe"));

  test("SBX-15: the engine without a sandbox says so in each result, has no overlay, and limits only time and output", async () => {
    await withSandbox({ engine: "unsafe" }, async (sandbox, place) => {
      expect(await tell(sandbox, "true")).toMatchObject({ exit: 0, engine: "unsafe" });
      expect(sandbox).toMatchObject({ engine: "unsafe", limitedBy: "nothing", overlay: { ok: false } });
      const folder = { overlay: place.overlay() };
      await expect(sandbox.run({ argv: ["true"], folder })).rejects.toMatchObject({ code: "misuse" });
    });
  });
});
