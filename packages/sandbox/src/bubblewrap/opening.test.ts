import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { seccompFilter } from "../seccomp/filter.ts";
import { ARCHITECTURES } from "../seccomp/system-calls.ts";
import { makePlace } from "../testing/place.ts";
import { hierarchies } from "./group-files.ts";
import { openBubblewrap } from "./open-bubblewrap.ts";

describe("opening", () => {
  test("SBX-52: where bubblewrap is missing, the answer says what to install and how", async () => {
    const place = makePlace();
    const find = (name: string) => (name === "bwrap" ? undefined : `/usr/bin/${name}`);
    const opened = await openBubblewrap({ root: place.root, runDir: place.runDir, limits: DEFAULT_LIMITS, find });
    expect(opened).toMatchObject({ ok: false, reason: "missing", packages: ["bubblewrap"] });
    expect(opened.ok ? "" : opened.message).toContain("sudo apt-get install bubblewrap");
    await place.remove();
  });

  test("SBX-52: where the system refuses, the answer says why, and nothing is left behind", async () => {
    const place = makePlace();
    const find = (name: string) => (name === "bwrap" ? "/bin/false" : `/usr/bin/${name}`);
    const opened = await openBubblewrap({ root: place.root, runDir: place.runDir, limits: DEFAULT_LIMITS, find });
    expect(opened).toMatchObject({ ok: false, reason: "refused", message: expect.stringContaining("it ended with 1") });
    await place.remove();
  });
});

describe("the filter", () => {
  test("SBX-20: there is one for x64 and for arm64, and none for what nobody has looked at", () => {
    expect(Object.keys(ARCHITECTURES)).toEqual(["x64", "arm64"]);
    expect([seccompFilter("x64"), seccompFilter("arm64")]).toEqual([expect.any(Buffer), expect.any(Buffer)]);
    expect(seccompFilter("riscv64")).toBeUndefined();
  });

  test("SBX-20: it is a program that the kernel can take: whole instructions, at most 4096, and every jump inside", () => {
    const filter = seccompFilter("arm64") ?? Buffer.alloc(0);
    expect(filter.length % 8).toBe(0);
    const count = filter.length / 8;
    expect(count).toBeLessThan(4096);
    for (let at = 0; at < count; at++) {
      const [code, yes, no, k] = [
        filter.readUInt16LE(at * 8),
        filter[at * 8 + 2] ?? 0,
        filter[at * 8 + 3] ?? 0,
        filter.readUInt32LE(at * 8 + 4),
      ];
      expect(at + 1 + Math.max(yes, no, code === 0x05 ? k : 0)).toBeLessThan(count + (code === 0x06 ? 1 : 0));
    }
  });
});

describe("control groups", () => {
  test("SBX-40: the group that the server is in is found, under version 1, version 2, both, and in a container", () => {
    const one = "30 25 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n";
    const two = "31 25 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
    expect(hierarchies(one, "8:pids:/a/b\n")).toEqual([
      { version: 1, controllers: ["rw", "pids"], mount: "/sys/fs/cgroup/pids", own: "/sys/fs/cgroup/pids/a/b" },
    ]);
    expect(hierarchies(two, "0::/user.slice/x\n")).toMatchObject([{ version: 2, own: "/sys/fs/cgroup/user.slice/x" }]);
    expect(hierarchies(one + two, "8:pids:/\n0::/\n").map(({ version }) => version)).toEqual([1, 2]);
    const inside = "30 25 0:26 /docker/abc /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n";
    expect(hierarchies(inside, "8:pids:/docker/abc/d\n")).toMatchObject([{ own: "/sys/fs/cgroup/pids/d" }]);
    expect(hierarchies(one, "1:cpu:/\n")).toEqual([]);
  });
});
