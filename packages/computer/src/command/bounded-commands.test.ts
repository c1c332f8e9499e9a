import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isLikelySecret } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { commandStage, type GroundName } from "../testing/command-stage.ts";

const WHY = "three are too many: nothing of what it did was kept";

for (const ground of ["overlay", "live"] as const) describe(`on the ground '${ground}'`, () => bounded(ground));

function bounded(ground: GroundName): void {
  const stage = commandStage(ground);
  const hides = (key: string, kind: string) => (kind === "file" ? isLikelySecret(key) : key === "workspace/private");
  const mayChange = async () => (key: string) => key === "workspace/src" || key.startsWith("workspace/src/");

  test("CMD-21: one that changes what it may not leaves nothing, and its result names the paths", async () => {
    const desk = await stage();
    await desk.write("notes.md", "mine\n");
    await desk.write("src/a.ts", "a\n");
    const before = desk.disk();
    const done = await desk.sh("echo b > src/a.ts; echo theirs > notes.md; mkdir elsewhere", { mayChange });
    expect(done.outside).toEqual(["workspace/elsewhere", "workspace/notes.md"]);
    expect(done.notes.at(-1)).toBe("it changed elsewhere, notes.md, which it may not: nothing of what it did was kept");
    expect(desk.disk()).toEqual(before);
    expect(await desk.tree()).toEqual(before);
    const last = (await desk.events()).at(-1);
    expect(last).toMatchObject({ type: "tool.result", payload: { exit: 0, status: "denied" } });
  });

  test("CMD-21: one that stays inside is kept, with the new directories that lead there", async () => {
    const desk = await stage();
    const deep = async () => (key: string) => key.startsWith("workspace/a/b/");
    const done = await desk.sh("mkdir -p a/b && echo x > a/b/c", { mayChange: deep });
    expect(done.outside).toBeUndefined();
    expect(await desk.text("a/b/c")).toBe("x\n");
  });

  test("CMD-25: one whose work may not all be written leaves nothing, and is told as stopped, with the reason", async () => {
    const desk = await stage();
    await desk.write("notes.md", "mine\n");
    const before = desk.disk();
    const asked: number[] = [];
    const mayLand = async (changes: readonly unknown[]) => {
      asked.push(changes.length);
      return "three are too many";
    };
    const done = await desk.sh("echo theirs > notes.md; mkdir new; echo x > new/a", { mayLand });
    expect(done).toMatchObject({ changed: 0, exit: null, how: "killed", tooMuch: WHY });
    expect(desk.disk()).toEqual(before);
    expect(await desk.tree()).toEqual(before);
    const last = (await desk.events()).at(-1);
    expect(last).toMatchObject({ type: "tool.result", payload: { reason: WHY, status: "stopped" } });
    expect(asked).toEqual([ground === "overlay" ? 3 : 0]); // in the folder itself the log has them by then
    expect(await desk.sh("true", { mayLand })).toMatchObject({ exit: 0 });
  });

  test("CMD-25: one whose work may be written is kept", async () => {
    const desk = await stage();
    expect(await desk.sh("echo x > a", { mayLand: async () => undefined })).toMatchObject({ changed: 1, exit: 0 });
    expect(await desk.text("a")).toBe("x\n");
  });

  test("CMD-21: what it may change is looked up when it has ended", async () => {
    const desk = await stage();
    let may = true;
    const onOutput = () => {
      may = false;
    };
    const done = await desk.sh("echo x > a.txt; echo runs", { mayChange: async () => () => may, onOutput });
    expect(done.outside).toEqual(["workspace/a.txt"]);
    expect(await desk.text("a.txt")).toBeUndefined();
  });

  test("CMD-22: what is hidden is empty to it, can't be written, and stays what it was", async () => {
    const desk = await stage();
    await desk.write(".env", "KEY=secret\n");
    await desk.write("deep/er/id_rsa", "PRIVATE\n");
    await desk.write("plain.txt", "plain\n");
    const before = desk.disk();
    const { said } = await desk.sh(
      "cat .env deep/er/id_rsa plain.txt; grep -r PRIVATE . ; echo x > .env; rm -f .env; mv deep moved; ln .env linked; cat linked moved/er/id_rsa; rm -rf moved; true",
      { hides },
    );
    expect(said).toContain("plain");
    expect(said).not.toContain("KEY=");
    expect(said).not.toContain("PRIVATE");
    expect(desk.disk()).toEqual(before);
    expect(await desk.tree()).toEqual(before);
  });

  test("CMD-22: so is what is ignored, and what is in a directory that nobody may look into", async () => {
    const desk = await stage();
    mkdirSync(desk.at("dist"));
    writeFileSync(desk.at("dist/.env"), "BUILT=1\n");
    await desk.write("shut/.env", "SHUT=1\n");
    chmodSync(desk.at("shut"), 0);
    const { said } = await desk.sh("chmod 700 shut; cat dist/.env shut/.env; true", { hides });
    expect(said).not.toContain("=1");
    chmodSync(desk.at("shut"), 0o755);
  });

  test("CMD-22: so is what lies at the top of what programs fill, and not what is in the packages there", async () => {
    const desk = await stage();
    const places = [".git/credentials", ".git/id_rsa", "venv/.env", ".venv/server.key", "node_modules/.env"];
    const more = ["__pycache__/.env", ".pnpm-store/.npmrc"];
    for (const place of [...places, ...more, "node_modules/app/.env", ".git/objects/.env"]) {
      mkdirSync(dirname(desk.at(`repo/${place}`)), { recursive: true });
      writeFileSync(desk.at(`repo/${place}`), `of ${place}\n`);
    }
    const { said } = await desk.sh("find repo -type f | xargs cat", { hides });
    expect(said.split("\n").toSorted()).toEqual(["", "of .git/objects/.env", "of node_modules/app/.env"]);
  });

  test("CMD-22: a directory that is hidden is empty to it", async () => {
    const desk = await stage();
    await desk.write("private/deep/a.txt", "mine\n");
    const before = desk.disk();
    const { said } = await desk.sh(
      "ls -A private; cat private/deep/a.txt; touch private/b; rm -rf private; mv private x; true",
      { hides },
    );
    expect(said).not.toContain("mine");
    expect(said).not.toContain("deep\n");
    expect(desk.disk()).toEqual(before);
  });

  test("CMD-22: where something can't be hidden, nothing runs", async () => {
    const desk = await stage();
    const odd = Buffer.concat([Buffer.from(desk.at("caf")), Buffer.from([0xe9])]);
    mkdirSync(odd);
    expect(await desk.sh("echo x > ran.txt", { hides })).toMatchObject({ exit: 0 });
    writeFileSync(Buffer.concat([odd, Buffer.from("/.env")]), "KEY=1\n");
    const outcome = await desk.computer.exec({ argv: ["touch", "ran"] }, { hides });
    expect(outcome).toMatchObject({ ok: false, reason: "invalid", message: expect.stringContaining("caf//e9") });
    expect(await desk.text("ran")).toBeUndefined();
  });
}
