import { execFile, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Somebody whom no system gives any right. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const ROOT = join(import.meta.dirname, "../../../..");
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
/** Where the tests stand in somebody's own folder, nobody else can run them. */
const canRead =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["-e", `require("fs").accessSync(${JSON.stringify(VITEST)})`], NOBODY).status === 0;

test.runIf(canRead)(
  "CMD-4, CMD-6, CMD-7, CMD-21, CMD-22, FOLD-32, FOLD-33, FOLD-34: commands of an ordinary user are captured and bounded as exactly",
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "choir-ordinary-"));
    chownSync(folder, NOBODY.uid, NOBODY.gid);
    try {
      const args = [
        VITEST,
        "run",
        "packages/computer/src/command/bounded-commands.test.ts",
        "packages/computer/src/command/hostile-commands.test.ts",
        "packages/computer/src/command/ignored-commands.test.ts",
        "packages/computer/src/command/locked-commands.test.ts",
        "packages/computer/src/folder/locked.test.ts",
        "--configLoader",
        "runner",
      ];
      const results = join(folder, "results.json");
      const env = { HOME: folder, PATH: process.env.PATH, TMPDIR: folder };
      const run = promisify(execFile)(
        process.execPath,
        [
          ...args,
          "-t",
          "CMD-4|CMD-6|CMD-7|CMD-21|CMD-22|FOLD-32|FOLD-33|FOLD-34",
          "--reporter",
          "json",
          "--outputFile",
          results,
        ],
        {
          ...NOBODY,
          cwd: ROOT,
          env,
          maxBuffer: 2 ** 26,
        },
      );
      await run.catch(() => {}); // what failed is in the results
      const { testResults } = JSON.parse(readFileSync(results, "utf8")) as { testResults: Results[] };
      const tests = testResults
        .flatMap(({ assertionResults }) => assertionResults)
        .filter(({ status }) => status !== "skipped");
      expect(tests.filter(({ status }) => status !== "passed")).toEqual([]);
      expect(tests.length).toBeGreaterThan(20);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

interface Results {
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}
