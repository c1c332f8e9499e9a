import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const MB = 1024 * 1024;
const limits = { processes: 64, memoryBytes: 200 * MB, diskBytes: 50 * MB, outputBytes: 8 * MB };
const hungry = toolStage({ limits });
const others = toolStage();

/** Each says `on` when it is about to take more than it may. */
const HOGS = [
  ["a fork bomb", "processes", "echo on; bomb() { bomb | bomb & }; bomb; sleep 1000"],
  [
    "a memory hog",
    "memory",
    `node -e 'console.log("on"); const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'; sleep 1000`,
  ],
  ["who fills the disk", "disk", "echo on; i=0; while :; do i=$((i+1)); head -c 5M /dev/zero > file-$i; done"],
  ["who fills /tmp", "disk", "echo on; i=0; while :; do i=$((i+1)); head -c 5M /dev/zero > /tmp/file-$i; done"],
  ["who never stops talking", "output", "echo on; yes and so on"],
] as const;

test.each(HOGS)(
  "S9, TOOL-9: %s is ended within 5 s, its model is told, and others work on",
  async (_, limit, command) => {
    const desk = await hungry();
    const neighbour = await others();
    let began = 0;
    desk.work.signals.listen(({ type }) => {
      if (type === "tool.output" && began === 0) began = performance.now();
    });
    const before = process.memoryUsage().rss;
    let ended = 0;
    const hog = desk.use("bash", { command, timeout_s: 60 }).finally(() => {
      ended = performance.now();
    });
    let answers = 0;
    for (; ended === 0 || answers === 0; answers++) {
      const { text } = await neighbour.use("bash", { command: "echo still here" });
      expect(text).toBe("exit 0\nit said:\nstill here\n");
    }
    const { status, text } = await hog;
    expect(began).toBeGreaterThan(0);
    expect(ended - began).toBeLessThan(5000);
    expect({ status, text: text.slice(0, 200) }).toEqual({
      status: "failed",
      text: expect.stringContaining(`it reached its limit: ${limit}`),
    });
    expect(Buffer.byteLength(text)).toBeLessThan(40_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MB);
    expect((await Array.fromAsync(desk.computer.files())).flat()).toEqual([]); // nothing of it landed
    expect((await desk.use("bash", { command: "echo again" })).text).toContain("again");
  },
  60_000,
);
