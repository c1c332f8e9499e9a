import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLikelySecret } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { type CommandDesk, commandStage, type GroundName } from "../testing/command-stage.ts";
import type { ExecOutcome, Underway } from "./command.ts";

for (const ground of ["overlay", "live"] as const) describe(`on the ground '${ground}'`, () => exposed(ground));

const SECRET = "PASSWORD=2222";
const hides = (key: string, kind: string) => kind === "file" && isLikelySecret(key);

const READS = "while :; do cat .env */.env dist/*/.env 2>/dev/null; done";

async function* told(word: Promise<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(await word);
}

/** A command that reads what comes, until it is told to end. */
async function reading(desk: CommandDesk, line = READS, word: Promise<string> = new Promise(() => {})) {
  const said: string[] = [];
  const started = Promise.withResolvers<Underway>();
  const speaks = Promise.withResolvers<void>();
  const onOutput = ({ bytes }: { bytes: Uint8Array }) => {
    said.push(Buffer.from(bytes).toString("utf8"));
    speaks.resolve();
  };
  const ended = desk.computer.exec(
    { argv: ["/bin/sh", "-c", `echo ready; ${line}`], stdin: told(word) },
    { hides, onStart: started.resolve, onOutput },
  );
  const running = await started.promise;
  await speaks.promise;
  const outcome = async (): Promise<ExecOutcome> => {
    const done = await ended;
    if (!done.ok) throw new Error(done.message);
    return done;
  };
  return { running, outcome, said: () => said.join("") };
}

async function resultOf(desk: CommandDesk, { call }: ExecOutcome) {
  return (await desk.events()).find(({ type, cause }) => type === "tool.result" && cause?.call === call)?.payload;
}

function exposed(ground: GroundName): void {
  const stage = commandStage(ground);

  /** Ended before it landed: it can't have seen it. */
  async function unseen(desk: CommandDesk, does: () => Promise<unknown>, key: string): Promise<void> {
    const { outcome, said } = await reading(desk);
    await does();
    const done = await outcome();
    expect(done).toMatchObject({ how: "killed", changed: 0, exposed: { key, seen: false } });
    expect(said()).toBe("ready\n");
    expect(await resultOf(desk, done)).toMatchObject({
      status: "denied",
      reason: expect.stringContaining("ended before"),
    });
  }

  test("CMD-24: one ends before a file lands that is hidden from it", async () => {
    const desk = await stage();
    await unseen(desk, () => desk.write(".env", SECRET), "workspace/.env");
    expect(await desk.text(".env")).toBe(SECRET);
    await unseen(desk, () => desk.write("sub/.env", SECRET), "workspace/sub/.env");
  });

  test("CMD-24: so it does before something is moved or undone, or a command brings it, into its sight", async () => {
    const desk = await stage();
    await desk.write("plain.txt", SECRET);
    await unseen(desk, () => desk.computer.move("workspace/plain.txt", "workspace/.env"), "workspace/.env");
    const { seq } = await desk.write("kept/a.txt", "a\n");
    const gone = await desk.computer.remove("workspace/.env");
    await unseen(desk, () => desk.computer.undo({ seq: gone.ok ? gone.seq : seq }), "workspace/.env");
    await desk.computer.remove("workspace/.env");
    if (ground === "live") return; // there a command puts it in place by itself
    await unseen(desk, () => desk.sh(`mkdir -p sub && echo ${SECRET} > sub/.env`), "workspace/sub/.env");
  });

  test("CMD-24: and before what is ignored comes along with a directory", async () => {
    const desk = await stage();
    await desk.write("old/a.txt", "a\n");
    mkdirSync(desk.at("old/dist"));
    writeFileSync(desk.at("old/dist/.env"), SECRET);
    const moving = () => desk.computer.move("workspace/old", "workspace/new");
    await unseen(desk, moving, "workspace/new/dist/.env");
    if (ground === "live") return; // there a command puts it in place by itself
    await unseen(
      desk,
      () => desk.sh(`mkdir -p dist/deep && echo ${SECRET} > dist/deep/.env`),
      "workspace/dist/deep/.env",
    );
  });

  for (const [how, put] of Object.entries(BY_OTHERS)) {
    test(`CMD-24: what others ${how} is found by a look, and then it ends and nothing that it said is kept`, async () => {
      const desk = await stage();
      mkdirSync(desk.at("dist"));
      await desk.write("a/b/c.txt", "c\n");
      const { running, outcome } = await reading(desk);
      expect(await running.mayTell()).toBe(true);
      put(desk);
      expect(await running.mayTell()).toBe(false);
      const done = await outcome();
      expect(done).toMatchObject({ changed: 0, exposed: { seen: true } });
      expect(done.notes.at(-1)).toContain("what it said is not told");
      expect(await resultOf(desk, done)).toEqual({ status: "denied", reason: done.notes.at(-1) });
    });
  }

  test("CMD-24: what came is found at its end, too, and nothing of what it did is kept", async () => {
    const desk = await stage();
    const go = Promise.withResolvers<string>();
    const { outcome, said } = await reading(desk, "read word; cat .env > copy.txt; cat copy.txt", go.promise);
    desk.outside(".env", SECRET);
    go.resolve("go\n");
    const done = await outcome();
    expect(said()).toContain("2222");
    expect(done).toMatchObject({ exposed: { key: "workspace/.env", seen: true }, changed: 0 });
    expect(await desk.text("copy.txt")).toBeUndefined();
  });

  test("CMD-24: while the folder is watched it ends as soon as that is seen", async () => {
    const desk = await stage({ watch: true });
    const { outcome } = await reading(desk);
    desk.outside("made/just/now/.env", SECRET);
    expect(await outcome()).toMatchObject({ exposed: { key: "workspace/made/just/now/.env", seen: true } });
  });

  test("CMD-24: what isn't hidden from it, a link, and what was fetched end nothing", async () => {
    const desk = await stage({ watch: true });
    await desk.write("old/.env", SECRET);
    const go = Promise.withResolvers<string>();
    const { running, outcome, said } = await reading(
      desk,
      "read word; cat old/.env linked.pem 2>/dev/null; true",
      go.promise,
    );
    await desk.write("plain.txt", "plain\n");
    symlinkSync("old/.env", desk.at("linked.pem")); // it leads to what is hidden, and is no more than that
    await desk.write("node_modules/pkg/key.pem", "x\n");
    desk.outside("node_modules/pkg/other.pem", "x\n");
    desk.outside("venv/lib/x.key", "x\n");
    if (ground === "overlay") await desk.write("old/.env", "changed\n"); // what is covered stays so
    expect(await running.mayTell()).toBe(true);
    go.resolve("go\n");
    expect(await outcome()).toMatchObject({ how: "exited", exit: 0 });
    expect(said()).toBe("ready\n");
  });

  if (ground === "live")
    test("CMD-24: in place, what is covered is no more once something else is in its place", async () => {
      const desk = await stage();
      await desk.write(".env", "OLD=1\n");
      await unseen(desk, () => desk.write(".env", SECRET), "workspace/.env");
      const { running, outcome } = await reading(desk);
      writeFileSync(desk.at("x.tmp"), SECRET);
      renameSync(desk.at("x.tmp"), desk.at(".env"));
      expect(await running.mayTell()).toBe(false);
      expect(await outcome()).toMatchObject({ exposed: { seen: true } });
    });
}

const BY_OTHERS: Readonly<Record<string, (desk: CommandDesk) => void>> = {
  write: (desk) => desk.outside(".env", SECRET),
  "rename into place": (desk) => {
    writeFileSync(desk.at("a/x.tmp"), SECRET);
    renameSync(desk.at("a/x.tmp"), desk.at("a/.env"));
  },
  "put into a new folder": (desk) => desk.outside("new/.env", SECRET),
  "put into what is ignored": (desk) => desk.outside("dist/deep/.env", SECRET),
  "bring with a whole folder": (desk) => {
    const elsewhere = mkdtempSync(join(desk.root, "elsewhere-"));
    mkdirSync(join(elsewhere, "whole"));
    writeFileSync(join(elsewhere, "whole/.env"), SECRET);
    renameSync(join(elsewhere, "whole"), desk.at("whole"));
    rmSync(elsewhere, { recursive: true });
  },
};
