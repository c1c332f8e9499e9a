import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CommandDesk, commandStage, type GroundName } from "../testing/command-stage.ts";
import { fileText } from "../testing/trees.ts";
import type { MayChange } from "./command.ts";
import { opaqueAmong } from "./opaque.ts";

// Run once more by an ordinary user, whom modes hold up: ordinary-user.int.test.ts.

/** Longer than a path can be, by relative steps. */
const DEEP = "n=$(printf 'x%.0s' $(seq 250)); d=$n/$n/$n/$n/$n/$n/$n/$n/$n; mkdir -p $d; cd $d; mkdir -p $d";

const text = (desk: CommandDesk, name: string) => readFileSync(desk.at(name), "utf8");
const mode = (desk: CommandDesk, name: string) => statSync(desk.at(name)).mode & 0o7777;

/** Runs a line that says `ready` and waits in `read go`; does the work meanwhile. */
async function meanwhile(desk: CommandDesk, line: string, work: () => unknown) {
  const worked = Promise.withResolvers<unknown>();
  async function* stdin() {
    await worked.promise;
    yield Buffer.from("go\n");
  }
  return desk.sh(line, { stdin: stdin(), onOutput: () => worked.resolve(work()) });
}

describe.each(["overlay", "live"] satisfies GroundName[])("what is ignored, on the %s folder", (ground) => {
  const stage = commandStage(ground);

  test.each(["0", "100", "400", "500", "555", "600", "700", "750"])(
    "CMD-7: what a command does in an ignored directory lands, though it leaves it with mode %s, and so does the mode",
    async (octal) => {
      const desk = await stage();
      desk.outside("node_modules/x/y/f", "old");
      desk.outside("node_modules/x/gone", "old");
      await desk.computer.capture();
      const shut = `chmod ${octal} node_modules/x/y node_modules/x`;
      const ran = await desk.sh(
        `cd node_modules/x; echo new > y/f; echo n > y/n; mkdir d; echo d > d/d; rm gone; chmod 500 d; cd ../..; ${shut}`,
      );
      expect(ran.notes).toEqual([]);
      expect(mode(desk, "node_modules/x")).toBe(Number.parseInt(octal, 8));
      chmodSync(desk.at("node_modules/x"), 0o700);
      expect(mode(desk, "node_modules/x/y")).toBe(Number.parseInt(octal, 8));
      chmodSync(desk.at("node_modules/x/y"), 0o700);
      expect(["y/f", "y/n", "d/d"].map((name) => text(desk, `node_modules/x/${name}`))).toEqual([
        "new\n",
        "n\n",
        "d\n",
      ]);
      expect(mode(desk, "node_modules/x/d")).toBe(0o500);
      expect(readdirSync(desk.at("node_modules/x")).sort()).toEqual(["d", "y"]);
    },
  );

  test("CMD-7: ignored directories that may not be written to, as of a cache of modules, are filled, changed and removed", async () => {
    const desk = await stage();
    const rest = "chmod -R u+w .cache; rm -rf .cache/b; echo new > .cache/a/f; echo n > .cache/n; chmod -R a-w .cache";
    await desk.sh("mkdir -p .cache/a .cache/b/c; echo f > .cache/a/f; echo c > .cache/b/c/c; chmod -R a-w .cache");
    const ran = await desk.sh(rest);
    expect(ran.notes).toEqual([]);
    expect(desk.disk()).toEqual({
      "workspace/.cache": "dir 555",
      "workspace/.cache/a": "dir 555",
      "workspace/.cache/a/f": fileText("new\n", 0o444),
      "workspace/.cache/n": fileText("n\n", 0o444),
    });
    const removed = await desk.sh("chmod -R u+w .cache; rm -rf .cache");
    expect([desk.disk(), removed.notes]).toEqual([{}, []]);
  });

  test("CMD-7: what is ignored goes with a directory that may not be written to, and what is beside that lands", async () => {
    const desk = await stage();
    desk.outside("p/t", "t");
    desk.outside("p/node_modules/a/i", "i");
    chmodSync(desk.at("p/node_modules/a"), 0o500);
    await desk.computer.capture();
    await desk.sh("chmod 500 p");
    const ran = await desk.sh("chmod -R u+w p; rm -rf p; echo other > other; mkdir dist; echo d > dist/d");
    expect(ran).toMatchObject({ exit: 0, blocked: [], notes: [] });
    expect(existsSync(desk.at("p"))).toBe(false);
    expect([text(desk, "other"), text(desk, "dist/d")]).toEqual(["other\n", "d\n"]);
  });

  test("CMD-7: a FIFO that is removed is gone, and so is one that became a file", async () => {
    const desk = await stage();
    for (const name of ["one", "two", "three"]) execFileSync("mkfifo", [desk.at(name)]);
    mkdirSync(desk.at("d"));
    await desk.computer.capture();
    const ran = await desk.sh("rm one two; echo two > two; mv three d/three");
    expect(ran.blocked).toEqual([]);
    expect(text(desk, "two")).toBe("two\n");
    expect(await desk.text("two")).toBe("two\n");
    expect(existsSync(desk.at("one"))).toBe(false);
    expect(existsSync(desk.at("three"))).toBe(false);
  });
});

describe("what is ignored, on an overlay", () => {
  const stage = commandStage("overlay");

  test("CMD-7: what another command brought there since this one began stays, though this one removed its directory", async () => {
    const desk = await stage();
    desk.outside("proj/main.js", "1");
    desk.outside("proj/dist/old", "old");
    desk.outside("node_modules/old/f", "old");
    await desk.computer.capture();
    const made =
      "mkdir -p node_modules/x/y proj/dist/n build; for d in node_modules/x/y proj/dist/n build; do echo B > $d/f; done";
    const remove = "echo ready; read go; rm -rf node_modules proj; rm -rf build; mkdir build; echo A > build/a";
    // The first has made its files before the second begins, and ends while that runs.
    const ran = Promise.withResolvers<unknown>();
    const second = Promise.withResolvers<unknown>();
    await meanwhile(desk, `${made}; echo ready; read go`, () => {
      const others = Promise.withResolvers<void>();
      async function* stdin() {
        await ran.promise;
        yield Buffer.from("go\n");
      }
      second.resolve(desk.sh(remove, { stdin: stdin(), onOutput: () => others.resolve() }));
      return others.promise;
    });
    ran.resolve(undefined);
    await second.promise;
    const files = ["node_modules/x/y/f", "proj/dist/n/f", "build/f"];
    expect(files.map((name) => text(desk, name))).toEqual(["B\n", "B\n", "B\n"]);
    expect(text(desk, "build/a")).toBe("A\n");
    expect(readdirSync(desk.at("node_modules"))).toEqual(["x"]);
    expect(readdirSync(desk.at("proj/dist"))).toEqual(["n"]);
  });

  test("CMD-7: no mark of the overlay lands with a directory that was made anew", async () => {
    const desk = await stage();
    desk.outside("node_modules/a/f", "a");
    await desk.computer.capture();
    const ran = await desk.sh("mkdir -p node_modules/b/c dist; rm -rf node_modules/a; mkdir -m 751 node_modules/a");
    const made = ["node_modules/a", "node_modules/b", "node_modules/b/c", "dist"];
    expect(await opaqueAmong(desk.at(""), made)).toEqual(new Set());
    expect([mode(desk, "node_modules/a"), readdirSync(desk.at("node_modules/a")), ran.notes]).toEqual([0o751, [], []]);
  });

  test("CMD-7: an empty directory that came since stays", async () => {
    const desk = await stage();
    desk.outside("node_modules/old/f", "old");
    await desk.computer.capture();
    await meanwhile(desk, "echo ready; read go; rm -rf node_modules", () => mkdirSync(desk.at("node_modules/new")));
    expect(readdirSync(desk.at("node_modules"))).toEqual(["new"]);
  });

  test.each([
    ["changed", "dist", "echo theirs > dist/mine/a"],
    ["removed", "dist", "rm -rf dist"],
    ["removed with what it is in", "gen", "rm -rf gen"],
    ["moved with what it is in", "gen", "mv gen new"],
    ["gone with what was made anew", "gen", "rm -rf gen; mkdir gen; echo x > gen/a"],
  ])(
    "CMD-21: where it isn't to change all that is below, nothing of a command is kept by which that is %s",
    async (_, denied, line) => {
      const desk = await stage();
      for (const name of ["dist/mine/a", "gen/dist/mine/a"]) desk.outside(name, "mine\n");
      await desk.write("gen/a", "x");
      const mayChange = async (): Promise<MayChange> => (_, whole) => whole === undefined;
      expect((await desk.sh(line, { mayChange })).outside).toContain(`workspace/${denied}`);
      expect(["dist/mine/a", "gen/dist/mine/a"].map((name) => text(desk, name))).toEqual(["mine\n", "mine\n"]);
      expect(await desk.text("gen/a")).toBe("x");
      expect(await desk.sh("echo y > gen/a; echo z > gen/b; rm gen/b", { mayChange })).toMatchObject({ changed: 1 });
    },
  );

  test("CMD-7: what can't be brought there is named by its own path, and everything else goes on", async () => {
    const desk = await stage();
    desk.outside("node_modules/a", "a");
    await desk.computer.capture();
    const ran = await meanwhile(
      desk,
      "cd node_modules; mkdir d; echo d > d/d; rm -rf e; echo e > e; echo b > b; cd ..; mkdir z; mkdir dist; echo d > dist/d; echo ready; read go",
      () => desk.outside("node_modules/e/came", "came"),
    );
    expect(ran).toMatchObject({ exit: 0, changed: 1 });
    expect(ran.notes.join("\n")).toMatch(/^node_modules\/e, which is ignored, is not as the command left it: [^/]+$/);
    expect(["d/d", "b", "e/came"].map((name) => text(desk, `node_modules/${name}`))).toEqual(["d\n", "b\n", "came"]);
    expect(text(desk, "dist/d")).toBe("d\n");
  });

  test("CMD-7: where nothing can be moved out of the way, the command has ended all the same, and what can come is there", async () => {
    const desk = await stage();
    desk.outside("node_modules/a", "a");
    desk.outside("proj/dist/b", "b");
    await desk.write("proj/c", "c");
    const layers = join(desk.root, ".choir/layers");
    const ran = await meanwhile(
      desk,
      "rm -rf node_modules proj; mkdir build; echo x > build/x; echo y > y; echo ready; read go",
      () => rmSync(join(layers, readdirSync(layers).join(), "aside"), { recursive: true }),
    );
    const left = ", which is ignored, is not as the command left it: its directory is missing";
    expect(ran).toMatchObject({ exit: 0, changed: 3, notes: [`proj/dist${left}`, `node_modules${left}`] });
    expect([text(desk, "build/x"), await desk.text("y")]).toEqual(["x\n", "y\n"]);
    expect(existsSync(desk.at("proj/c"))).toBe(false);
  });

  test("CMD-18: changes in thousands of ignored directories are brought over by the thousand", async () => {
    const desk = await stage();
    await desk.sh(
      "mkdir -p node_modules; cd node_modules; mkdir $(seq 1100); for i in $(seq 1100); do echo 1 > $i/f; done",
    );
    const ran = await desk.sh(
      "cd node_modules; for i in $(seq 1100); do echo 2 > $i/g; done; rm */f; rm -rf 7; mkdir 7",
    );
    expect(ran.notes).toEqual([]);
    const names = readdirSync(desk.at("node_modules"), { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith("/g"))).toHaveLength(1099);
    expect(names.filter((name) => name.endsWith("/f"))).toEqual([]);
    expect(names).toHaveLength(1100 + 1099);
  });

  test("CMD-7: what is deeper than a path can be long goes with its directory; a change there is named where it can't land", async () => {
    const desk = await stage();
    await desk.sh(`mkdir node_modules; cd node_modules; echo a > a; ${DEEP}; echo old > $d/f`);
    const ran = await desk.sh(`echo b > node_modules/a; cd node_modules; ${DEEP}; echo new > $d/f`);
    expect(ran.notes.join()).toContain("which is ignored, is not as the command left it: it is too long");
    expect(text(desk, "node_modules/a")).toBe("b\n");
    expect((await desk.sh(`cd node_modules; ${DEEP}; cat $d/f`)).said).toBe("old\n");
    expect((await desk.sh("rm -rf node_modules")).notes).toEqual([]);
    expect(desk.disk()).toEqual({});
  });
});
