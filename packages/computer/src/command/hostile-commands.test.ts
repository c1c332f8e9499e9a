import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandStage, type GroundName, undoneWhole } from "../testing/command-stage.ts";
import { done, folderOfOurOwn } from "../testing/computer-stage.ts";
import { dirText, fileText } from "../testing/trees.ts";

const outsideFolder = folderOfOurOwn();
/** Longer than a path can be, by two relative steps. */
const DEEPER = "n=$(printf 'x%.0s' $(seq 250)); d=$n/$n/$n/$n/$n/$n/$n/$n/$n/$n; mkdir -p $d; cd $d; mkdir -p $d";

describe.each(["overlay", "live"] satisfies GroundName[])("commands that hurt, on the %s folder", (ground) => {
  const stage = commandStage(ground);

  test.each([
    ["opaque in merged", "rm -rf d/e; mkdir d/e; echo n > d/e/n; echo more >> d/a"],
    ["merged in opaque", "rm -rf d; mkdir -p d/e; echo n > d/e/n; echo more >> f/g/h"],
    ["a directory that is moved onto another's name", "rm -rf f; mv d f; rm f/e/b"],
    ["two directories change places", "mv d t; mv f d; mv t f"],
    ["a directory moved into one that is new, and emptied there", "mkdir -p n/m; mv d n/m/d; rm n/m/d/e/*"],
    ["modes alone, of a directory and what is in it", "chmod 750 d d/e; chmod 600 d/a; chmod 1777 f"],
    ["a directory becomes a link to itself, and a file a loop", "rm -rf d; ln -s d d; rm f/g/h; ln -s ../g f/g/h"],
    [
      "the longest name there is",
      "n=$(printf 'y%.0s' $(seq 255)); echo x > $n; mkdir $n.d 2>&1; n=$(printf 'z%.0s' $(seq 255)); mv d $n",
    ],
    [
      "names like those of a landing",
      "echo x > .choir-landing-0123456789abcdef0123456789abcdef; mv d .choir-landing-d",
    ],
    ["a file with holes", "truncate -s 3M holes; printf end >> holes"],
    ["many hard links of one file", "for i in 1 2 3 4 5; do ln d/a l$i; done; echo more >> l3; ln d/a f/g/a"],
  ])("CMD-4: %s", async (_, line) => {
    const desk = await stage();
    desk.outside("d/a", "a\n");
    desk.outside("d/e/b", "b\n");
    desk.outside("d/e/c", "c\n");
    desk.outside("f/g/h", "h\n");
    await desk.computer.capture();
    await undoneWhole(desk, line);
  });

  test("CMD-3: another time alone is no change", async () => {
    const desk = await stage();
    await desk.write("d/a", "a");
    expect((await desk.sh("touch -d 2001-01-01 d/a d; ln -s a d/l; rm d/l")).changed).toBe(0);
  });

  test("CMD-7: what is ignored goes with its directory, however that goes, and comes with it", async () => {
    const desk = await stage();
    const lay = async (name: string) => {
      desk.outside(`${name}/a.txt`, "a");
      desk.outside(`${name}/src/node_modules/m/index.js`, "m");
      await desk.computer.capture();
    };
    await lay("pkg");
    await desk.sh("mv pkg lib");
    expect(existsSync(desk.at("pkg"))).toBe(false);
    expect(readFileSync(desk.at("lib/src/node_modules/m/index.js"), "utf8")).toBe("m");
    await desk.sh("rm -rf lib; echo file > lib");
    expect(desk.disk()).toEqual({ "workspace/lib": fileText("file\n") });
    await lay("new");
    await desk.sh("rm -rf new; mkdir -p new/src/node_modules; echo n > new/src/node_modules/n; mkdir new/dist");
    expect(existsSync(desk.at("new/src/node_modules/m"))).toBe(false);
    expect(readdirSync(desk.at("new"))).toEqual(["dist", "src"]);
    expect(readFileSync(desk.at("new/src/node_modules/n"), "utf8")).toBe("n\n");
    await desk.sh("rm -rf new lib");
    expect(desk.disk()).toEqual({});
    expect(await desk.tree()).toEqual({});
  });

  test("CMD-7: in ignored trees every kind can become every other", async () => {
    const desk = await stage();
    for (const name of ["f", "d/x", "keep/y", "keep/o/z", "gone/deep/er"]) desk.outside(`node_modules/${name}`, name);
    await desk.computer.capture();
    await desk.sh(
      "cd node_modules; rm f; mkdir f; echo in > f/in; rm -rf d; echo file > d; rm -rf keep/o; mkdir keep/o; echo o > keep/o/o; rm -rf gone; ln -s ../.. gone; mkfifo fifo; mkdir shut; echo s > shut/s; chmod 500 shut",
    );
    const kinds = Object.entries(desk.disk()).map(
      ([key, text]) => `${key.slice("workspace/node_modules/".length)} ${text}`,
    );
    expect(kinds.slice(1)).toEqual([
      'd file 644 "file\\n"',
      "f dir 755",
      'f/in file 644 "in\\n"',
      "fifo odd",
      'gone link "../.."',
      "keep dir 755",
      "keep/o dir 755",
      'keep/o/o file 644 "o\\n"',
      'keep/y file 644 "keep/y"',
      "shut dir 500",
      'shut/s file 644 "s\\n"',
    ]);
    expect(await desk.tree()).toEqual({});
  });

  test("CMD-7: rules count as they were and as they became", async () => {
    const desk = await stage();
    desk.outside(".choirignore", "secret/\n");
    desk.outside("secret/x", "x");
    desk.outside("secret/y", "y");
    await desk.computer.capture();
    await desk.sh("rm .choirignore; rm secret/y; echo z > secret/z");
    expect(readdirSync(desk.at("secret"))).toEqual(["x", "z"]);
    await desk.computer.capture();
    const ran = await desk.sh("echo kept/ > .choirignore; mkdir kept; echo n > kept/n; rm -rf secret");
    expect(Object.keys(await desk.tree())).toEqual(["workspace/.choirignore"]);
    expect(readFileSync(desk.at("kept/n"), "utf8")).toBe("n\n");
    done(await desk.computer.undo({ call: ran.call }));
    expect(readdirSync(desk.at("secret"))).toEqual(["x", "z"]);
  });

  test("CMD-15: an id that is none is refused, and nothing is removed for it", async () => {
    const desk = await stage();
    await desk.write("a", "1");
    for (const call of ["../../workspace", "..", ".", "", "a/b"]) {
      const refused = await desk.computer.exec({ argv: ["true"] }, { cause: { call } });
      expect(refused).toMatchObject({ ok: false, reason: "invalid" });
    }
    expect(desk.disk()).toEqual({ "workspace/a": fileText("1") });
  });

  test("CMD-15: while a command of a call runs no other does, and it is left alone", async () => {
    const desk = await stage();
    const cause = { call: "the-same" };
    const second = Promise.withResolvers<unknown>();
    const onOutput = () => second.resolve(desk.computer.exec({ argv: ["true"] }, { cause }));
    async function* stdin() {
      await second.promise;
      yield Buffer.from("go\n");
    }
    const first = await desk.sh("echo ready; read go; echo x > x", { cause, stdin: stdin(), onOutput });
    expect(await second.promise).toMatchObject({ ok: false, reason: "invalid" });
    expect(first).toMatchObject({ exit: 0, changed: 1 });
    expect(await desk.sh("echo y > y", { cause })).toMatchObject({ changed: 1 });
  });

  test("CMD-16: input that comes slowly is not at its end before it is, and nobody else's output is among its own", async () => {
    const desk = await stage();
    for (let round = 0; round < 8; round++) {
      const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      async function* stdin() {
        for (const [i, { promise }] of asked.entries()) {
          await promise;
          yield Buffer.from(`${i}\n`);
        }
      }
      const said: string[] = [];
      const onOutput = ({ bytes }: { bytes: Uint8Array }) => {
        said.push(Buffer.from(bytes).toString("utf8"));
        const lines = said.join("").split("\n").length;
        if (lines > 1) asked[0].resolve();
        if (lines > 2) asked[1].resolve();
      };
      await desk.sh("echo a; read x; echo $?$x; read x; echo $?$x; read x; echo $?$x", { stdin: stdin(), onOutput });
      expect(said.join("")).toBe("a\n00\n01\n1\n");
    }
  });

  test("CMD-16: stopped while its output is held back, it ends", async () => {
    const desk = await stage();
    const stop = new AbortController();
    const onOutput = () => {
      stop.abort();
      return new Promise<void>(() => {}); // for ever
    };
    const ran = await desk.sh("echo x > x; yes", { signal: stop.signal, onOutput });
    expect(ran).toMatchObject({ how: "killed", changed: 0 });
    expect(desk.disk()).toEqual({});
    const closing = Promise.withResolvers<void>();
    const held = desk.sh("yes", {
      onOutput: () => {
        closing.resolve();
        return new Promise<void>(() => {});
      },
    });
    await closing.promise;
    await Promise.all([held, desk.close()]);
  });

  test("CMD-18: deeper than a path can be long, it is kept as far as there are names for it, and nothing is left of its layer", async () => {
    const desk = await stage();
    const ran = await desk.sh(`echo x > beside; ${DEEPER}; echo $?`);
    expect(ran.said).toBe("0\n");
    expect(ran.notes.join()).toMatch(/can't be kept: it is too long/);
    expect(await desk.text("beside")).toBe("x\n");
    expect(readdirSync(join(desk.root, ".choir/layers"))).toEqual([]);
    const again = await desk.again();
    done(await again.computer.undo({ call: ran.call }));
    await again.sh("rm -rf ./*"); // what Node could not remove after the test
    expect(again.disk()).toEqual({});
  });

  test("CMD-18: many directories, wide and deep, are one event, and progress is told", async () => {
    const desk = await stage();
    const told = new Set<string>();
    const onProgress = ({ what }: { what: string }) => told.add(what);
    const wide = "mkdir $(seq 1000); for i in 1 2 3; do (cd $i; mkdir $(seq 300)); done";
    const deep = "d=.; for i in $(seq 300); do d=$d/d; done; mkdir -p $d; echo x > $d/x";
    const ran = await desk.sh(`${wide}; ${deep}`, { onProgress });
    expect(ran.changed).toBe(1000 + 900 + 301);
    if (ground === "overlay") expect([...told]).toContain("reading what the command did");
    done(await desk.computer.undo({ call: ran.call }));
    expect(desk.disk()).toEqual({});
  });
});

describe("on an overlay", () => {
  const stage = commandStage("overlay");

  test("CMD-4: what is left without any rights is known by its bytes all the same, and given back", async () => {
    const desk = await stage();
    desk.outside("f", "f");
    desk.outside("d/e/x", "x");
    await desk.computer.capture();
    const before = desk.disk();
    const ran = await desk.sh("echo more >> f; chmod 0 f d/e d; chmod 0 .");
    const { "workspace/f": f, "workspace/d": d, "workspace/d/e/x": x } = await desk.tree();
    expect([f, d, x]).toEqual([fileText("fmore\n", 0), dirText(0), fileText("x")]);
    expect(ran).toMatchObject({ changed: 3, blocked: [] });
    done(await desk.computer.undo({ call: ran.call }));
    expect(await desk.tree()).toEqual(before);
    expect(desk.disk()).toEqual(before);
  });

  test("CMD-7: a link that stands where an ignored path is carried to is replaced, and nothing beyond it is touched", async () => {
    const desk = await stage();
    const canary = outsideFolder();
    writeFileSync(join(canary, "f"), "canary");
    mkdirSync(join(canary, "d"));
    desk.outside("node_modules/d/f", "f");
    desk.outside("node_modules/e/f", "f");
    await desk.computer.capture();
    const swapped = Promise.withResolvers<void>();
    const onOutput = () => {
      for (const name of ["node_modules/d", "node_modules/e/f"]) {
        renameSync(desk.at(name), join(desk.root, name.replaceAll("/", "-")));
        symlinkSync(name.endsWith("f") ? join(canary, "f") : canary, desk.at(name));
      }
      swapped.resolve();
    };
    async function* stdin() {
      await swapped.promise;
      yield Buffer.from("go\n");
    }
    await desk.sh(
      "cd node_modules; echo g > d/g; rm d/f; echo more >> e/f; mkdir d/d; echo in > d/d/in; echo ready; read go",
      { onOutput, stdin: stdin() },
    );
    expect(readdirSync(canary)).toEqual(["d", "f"]);
    expect(readdirSync(join(canary, "d"))).toEqual([]);
    expect(readFileSync(join(canary, "f"), "utf8")).toBe("canary");
    expect(readFileSync(desk.at("node_modules/e/f"), "utf8")).toBe("fmore\n");
    expect(readFileSync(desk.at("node_modules/d/g"), "utf8")).toBe("g\n");
  });

  test("CMD-13: what is ignored and came since the command began stays, though its directory was removed", async () => {
    const desk = await stage();
    await desk.write("pkg/a", "a");
    const onOutput = () => desk.outside("pkg/node_modules/new", "new");
    await desk.sh("rm -rf pkg; echo ready; sleep 0.1", { onOutput });
    expect(readFileSync(desk.at("pkg/node_modules/new"), "utf8")).toBe("new");
    expect(await desk.tree()).toEqual({});
  });

  test("CMD-6: stopped while what it did is read, nothing has landed, and it is told as stopped", async () => {
    const desk = await stage();
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("enough"));
    await expect(desk.sh("mkdir $(seq 50)", { signal: stop.signal, onProgress })).rejects.toThrow("enough");
    expect(desk.disk()).toEqual({});
    expect(await desk.tree()).toEqual({});
    const reason = "it was stopped, and nothing of what it did was kept";
    expect((await desk.events()).at(-1)).toMatchObject({ type: "tool.result", payload: { status: "stopped", reason } });
    await desk.close(); // nobody else waits until that is removed
    expect(readdirSync(join(desk.root, ".choir/layers"))).toEqual([]);
  });

  test("CMD-6: stopped once the log has what it did, all of it lands", async () => {
    const desk = await stage();
    const stop = new AbortController();
    const onProgress = ({ what }: { readonly what: string }) => {
      if (what === "writing to the folder") stop.abort(new Error("enough"));
    };
    const ran = await desk.sh("mkdir $(seq 5000)", { signal: stop.signal, onProgress });
    expect(stop.signal.aborted).toBe(true);
    expect(ran).toMatchObject({ ok: true, how: "exited", changed: 5000, blocked: [] });
    expect(Object.keys(desk.disk())).toHaveLength(5000);
  });
});
