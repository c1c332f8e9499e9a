import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { expect, test } from "vitest";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

test.each([
  ["on the folder", async () => {}],
  ["through a server", serve],
] as const)(
  "COMP-4: %s, 'verify' takes up what others did first, and looks at the log with all of it",
  async (_, open) => {
    const home = tempHome();
    await choir(home, ["write", "a", "--user", "ada"], { input: "one\n" });
    await open(home);
    const workspace = join(home.rootOf("ada"), "workspace");
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, "new"), "by another program\n");
    const verified = JSON.parse((await choir(home, ["verify", "--json"])).out);
    expect(verified).toMatchObject({ ok: true, log: { events: 3, good: { seq: 3 } }, folder: { paths: 2 } });
  },
);
