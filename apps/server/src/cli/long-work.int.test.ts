import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { describe, expect, test } from "vitest";
import type { Home } from "../home.ts";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

/** A home whose computer `ada` got so many files with one event. */
async function homeWithFiles(count: number): Promise<{ home: Home; files: string }> {
  const home = tempHome();
  const files = join(home.path, "files");
  mkdirSync(files);
  for (let i = 0; i < count; i++) writeFileSync(join(files, `${i}`), `file ${i}`);
  expect(await choir(home, ["add", files, "--user", "ada"])).toMatchObject({ exit: 0 });
  return { home, files };
}

describe("work that takes long", () => {
  test("Ctrl-C in the middle of the contents of one event ends an export with 130, and nothing is left of it", async () => {
    const { home } = await homeWithFiles(1500);
    const folder = join(home.path, "exports");
    mkdirSync(folder);
    const seen: string[] = [];
    const { exit, out } = await choir(home, ["export", join(folder, "x.choir"), "--user", "ada"], {
      onProgress(line, stop) {
        seen.push(line);
        if (line === "contents: 501") stop();
      },
    });
    expect({ exit, out, left: readdirSync(folder) }).toEqual({ exit: 130, out: "", left: [] });
    expect(seen.at(-1)).toBe("contents: 501");
  });

  test("Ctrl-C in the middle of the contents of one event ends a verification with 130", async () => {
    const { home } = await homeWithFiles(1500);
    const { exit, out } = await choir(home, ["verify", "--user", "ada"], {
      onProgress: (line, stop) => line.startsWith("contents: ") && stop(),
    });
    expect({ exit, out }).toEqual({ exit: 130, out: "" });
  });

  test("a file that is no export is refused with 1 and a sentence, with a server and without", async () => {
    const { home } = await homeWithFiles(1);
    const view = `${home.path}/view.choir`;
    writeFileSync(view, "CREATE VIEW content AS ...");
    const ask = () => choir(home, ["import", view, "--user", "bob"]);
    const refused = { exit: 1, out: "", aside: `choir: ${view} is not an export of ChoirOS\n` };
    expect(await ask()).toEqual(refused);
    await serve(home);
    expect(await ask()).toEqual(refused);
    expect(readdirSync(join(home.path, "users"))).toEqual(["ada"]);
  });
});
