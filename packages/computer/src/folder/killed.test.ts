import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderStage } from "../testing/folder-stage.ts";
import { COUNT, landAll, landings } from "../testing/landing-process.ts";

const place = folderStage();
const SCRIPT = fileURLToPath(new URL("../testing/landing-process.ts", import.meta.url));

test.each([0, 150])(
  "FOLD-14: killed %d ms into a landing, no file is half there, and the next one finishes it",
  async (ms) => {
    const { root, at, scan, folder } = await place();
    const landing = spawn(process.execPath, [SCRIPT, root], { stdio: ["ignore", "pipe", "ignore"] });
    await once(landing.stdout, "data");
    setTimeout(() => landing.kill("SIGKILL"), ms); // a moment of its own each time is the point
    await once(landing, "exit");
    const hashes = new Map(landings().items.map(({ key, to }) => [key.slice(10), to.kind === "file" ? to.hash : ""]));
    const there = readdirSync(at("")).filter((name) => !name.startsWith(".choir-landing-"));
    const torn = there.filter(
      (name) =>
        createHash("sha256")
          .update(readFileSync(at(name)))
          .digest("hex") !== hashes.get(name),
    );
    expect(torn).toEqual([]);
    await scan();
    expect(readdirSync(at("")).sort()).toEqual(there.sort());
    const outcomes = await landAll(folder, () => {});
    expect(outcomes.filter(({ is }) => is !== "landed")).toEqual([]);
    expect(readdirSync(at(""))).toHaveLength(COUNT);
  },
);
