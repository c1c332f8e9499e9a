import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { keyFromBytes } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { folderStage } from "../testing/folder-stage.ts";

const place = folderStage();
const sha = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("looking", () => {
  test("FOLD-5: a look gives kind, hash, size and mode of what stands there, and null where nothing does", async () => {
    const { folder, at, write } = await place();
    write("a/run.sh", "#!/bin/sh", 0o755);
    write("empty", "", 0o600);
    mkdirSync(at("void"));
    chmodSync(at("void"), 0o750);
    const looked = await folder.look(
      ["a/run.sh", "empty", "void", "a", "none", "none/x", "empty/x"].map((name) => `workspace/${name}`),
    );
    expect(looked.map((one) => (one.is === "entry" ? one.entry : one.is))).toEqual([
      { kind: "file", hash: sha("#!/bin/sh"), size: 9, mode: 0o755 },
      { kind: "file", hash: sha(""), size: 0, mode: 0o600 },
      { kind: "dir", mode: 0o750 },
      { kind: "dir", mode: 0o755 },
      "nothing",
      "nothing",
      "nothing",
    ]);
  });

  test("FOLD-5: a link is the bytes of its target, wherever that leads", async () => {
    const { folder, at } = await place();
    const targets = { dangling: "no/where", loop: "loop", outside: "/etc/passwd", odd: Buffer.from([0x78, 0xff]) };
    for (const [name, target] of Object.entries(targets)) symlinkSync(target, at(name));
    const looked = await folder.look(Object.keys(targets).map((name) => `workspace/${name}`));
    expect(looked.map((one) => one.is === "entry" && one.entry)).toEqual(
      Object.values(targets).map((target) => ({ kind: "link", hash: sha(target), size: target.length, mode: 0o777 })),
    );
  });

  test("FOLD-6: names are bytes: not UTF-8, with a newline, and paths of four thousand bytes", async () => {
    const { folder, root, capture } = await place();
    const deep = `${"d".repeat(200)}/`.repeat(19);
    const names = [
      Buffer.from([0xff, 0xfe, 0x2e]),
      Buffer.from("new\nline"),
      Buffer.from("caf\u00e9"),
      Buffer.from("cafe\u0301"),
      Buffer.from("//".slice(1)),
    ];
    for (const name of names.slice(0, 4)) writeFileSync(Buffer.concat([Buffer.from(`${root}/workspace/`), name]), "x");
    spawnSync("sh", ["-c", 'for i in $(seq 19); do mkdir "$0" && cd "$0"; done; printf deep > last', "d".repeat(200)], {
      cwd: `${root}/workspace`,
    });
    const captured = await capture();
    const keys = captured.filter((one) => one.is === "entry" && one.entry.kind === "file").map(({ key }) => key);
    expect(keys.sort()).toEqual(
      [...names.slice(0, 4).map((name) => `workspace/${keyFromBytes(name)}`), `workspace/${deep}last`].sort(),
    );
    expect((await folder.look(keys)).every((one) => one.is === "entry" && one.same)).toBe(true);
  });

  test("FOLD-7: sockets, FIFOs and devices are named, and never opened", async () => {
    const { folder, at, scan } = await place();
    execFileSync("mkfifo", [at("pipe")]);
    const server = createServer().listen(at("sock"));
    await once(server, "listening");
    const device = spawnSync("mknod", [at("null"), "c", "1", "3"]).status === 0;
    const expected = [
      { key: "workspace/pipe", what: "a FIFO" },
      { key: "workspace/sock", what: "a socket" },
      ...(device ? [{ key: "workspace/null", what: "a character device" }] : []),
    ];
    const looked = await folder.look(expected.map(({ key }) => key));
    const { odd, keys } = await scan();
    server.close();
    expect(looked.map((one) => ({ key: one.key, what: one.is === "odd" && one.what }))).toEqual(expected);
    expect(odd.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(
      expected.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    );
    expect(keys).toEqual([]);
  });

  test("FOLD-8: a file of 300 MB is streamed: it never sits in memory", async () => {
    const { folder, at } = await place();
    const fd = openSync(at("large"), "w");
    ftruncateSync(fd, 300_000_000);
    closeSync(fd);
    let most = 0;
    let size = 0;
    const before = process.memoryUsage().rss;
    const [looked] = await folder.look(["workspace/large"], {
      keep: async (source) => {
        const hash = createHash("sha256");
        for await (const piece of source as AsyncIterable<Uint8Array>) {
          hash.update(piece);
          size += piece.length;
          most = Math.max(most, process.memoryUsage().rss - before);
        }
        return { hash: hash.digest("hex"), size };
      },
    });
    expect(looked).toMatchObject({ is: "entry", entry: { kind: "file", size: 300_000_000 } });
    expect(most).toBeLessThan(150_000_000);
  });

  test("FOLD-8: a large file that changes each time it is read is busy", async () => {
    const { folder, at, write } = await place();
    write("large", "x".repeat(600_000));
    let reads = 0;
    const [looked] = await folder.look(["workspace/large"], {
      keep: async (source) => {
        for await (const _ of source as AsyncIterable<Uint8Array>) {
          writeFileSync(at("large"), `${++reads % 10}`.repeat(600_000));
        }
        return { hash: sha("any"), size: 600_000 };
      },
    });
    expect(looked?.is).toBe("busy");
    expect(reads).toBeGreaterThan(1);
  });

  test("FOLD-9: setuid and setgid are not kept", async () => {
    const { folder, write, at } = await place();
    write("tool", "x");
    chmodSync(at("tool"), 0o6755);
    expect(await folder.look(["workspace/tool"])).toMatchObject([{ entry: { mode: 0o755 } }]);
  });
});

describe("what was seen", () => {
  test("FOLD-10: what was noted is the same until it changes, also where size and time of the change are the same", async () => {
    const { folder, write, at, capture } = await place();
    write("a", "one");
    await capture();
    expect(await folder.look(["workspace/a"])).toMatchObject([{ same: true }]);
    const { mtime, atime } = statSync(at("a"));
    writeFileSync(at("a"), "two");
    utimesSync(at("a"), atime, mtime);
    expect(await folder.look(["workspace/a"])).toMatchObject([
      { same: false, was: { hash: sha("one") }, entry: { hash: sha("two") } },
    ]);
  });

  test("FOLD-10: a change in the same tick as the look is found, however often it is tried", async () => {
    const { folder, at, capture } = await place();
    writeFileSync(at("a"), "0");
    await capture();
    for (let i = 1; i < 60; i++) {
      const fd = openSync(at("a"), "r+");
      writeFileSync(fd, String(i % 10)); // same size, same file, often the same time
      closeSync(fd);
      const [looked] = await folder.look(["workspace/a"]);
      expect(looked).toMatchObject({ is: "entry", same: false, entry: { hash: sha(String(i % 10)) } });
      if (looked !== undefined) await folder.note([looked]);
    }
  });

  test("FOLD-11: a cache that passes for one that may only be read, by one flipped bit, is made anew", async () => {
    const first = await place();
    const path = `${first.root}/.choir/seen.sqlite`;
    const second = await first.reopen(() => {
      const bytes = readFileSync(path);
      bytes.writeUInt8(bytes.readUInt8(18) ^ 4, 18);
      writeFileSync(path, bytes);
    });
    expect(second.folder.notices).toEqual([expect.stringMatching(/made anew/)]);
  });

  test("FOLD-11: a cache that is damaged is made anew, said, and not complete until somebody says so", async () => {
    const first = await place();
    first.write("a", "one");
    await first.capture();
    await first.folder.setComplete();
    const second = await first.reopen();
    expect(second.folder.complete).toBe(true);
    expect(await second.folder.seen(["workspace/a", "workspace/b"])).toMatchObject([{ hash: sha("one") }, undefined]);
    expect(await second.folder.look(["workspace/a"])).toMatchObject([{ same: true }]);
    const nonsense = "no database at all, and long enough to be taken for one".repeat(99);
    const third = await second.reopen(() => writeFileSync(`${second.root}/.choir/seen.sqlite`, nonsense));
    expect(third.folder.notices).toEqual([expect.stringMatching(/made anew/)]);
    expect(third.folder.complete).toBe(false);
    expect((await third.scan()).keys).toEqual(["workspace/a"]);
  });

  test("FOLD-3: hard links are two files", async () => {
    const { write, at, capture } = await place();
    write("a", "one");
    linkSync(at("a"), at("b"));
    expect((await capture()).map(({ key }) => key).sort()).toEqual(["workspace/a", "workspace/b"]);
    writeFileSync(at("new"), "two");
    renameSync(at("new"), at("a"));
    expect((await capture()).filter((one) => one.is === "entry" && !one.same).map(({ key }) => key)).toEqual([
      "workspace/a",
    ]);
  });
});
