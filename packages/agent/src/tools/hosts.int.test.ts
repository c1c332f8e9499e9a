import { writeFileSync } from "node:fs";
import { PAYLOADS } from "@choiros/contract";
import { expect, test } from "vitest";
import { type ToolDesk, toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();
const OPEN = 'allow = ["tool *", "read /", "edit .", "network git+pkg"]\n';

/** What the sandbox was told that the last command may reach. */
async function egress({ computer, events }: ToolDesk): Promise<unknown> {
  const called = (await events()).findLast(({ type }) => type === "tool.call");
  const { input } = PAYLOADS["tool.call"].parse(called?.payload);
  const bytes = (await computer.contents.get(input.hash)) ?? [];
  return JSON.parse(Buffer.concat(await Array.fromAsync(bytes)).toString("utf8")).egress;
}

test("LEASE-8: of git+pkg a command reaches what is allowed of it, and nothing that is never had", async () => {
  const desk = await stage({ egress: "git+pkg" });
  writeFileSync(desk.policy.file, `${OPEN}ask = []\n`);
  expect((await desk.use("bash", { command: "true" })).status).toBe("ok");
  expect(await egress(desk)).toBe("git+pkg");
  writeFileSync(desk.policy.file, `${OPEN}ask = []\nnever = ["network github.com"]\n`);
  expect((await desk.use("bash", { command: "true" })).status).toBe("ok");
  const hosts = await egress(desk);
  expect(hosts).toContain("pypi.org");
  expect(hosts).not.toContain("github.com");
  writeFileSync(desk.policy.file, `${OPEN}ask = ["network github.com"]\n`);
  const asked = desk.answerNext("once");
  expect((await desk.use("bash", { command: "true" })).status).toBe("ok");
  expect(await asked).toBe("network github.com");
  expect(await egress(desk)).toBe("git+pkg");
});

test("LEASE-8: a host that is never had isn't reached in another spelling", async () => {
  const desk = await stage();
  writeFileSync(desk.policy.file, 'always = ["network *"]\nnever = ["network example.org"]\n');
  for (const host of ["example.org", "example.org.", "EXAMPLE.org", "example。org"]) {
    expect(await desk.use("bash", { command: "true", hosts: [host] })).toMatchObject({
      status: "denied",
      text: "the policy never allows: network example.org",
    });
  }
  expect((await desk.use("bash", { command: "true", hosts: ["API.example.net."] })).status).toBe("ok");
  expect(await egress(desk)).toEqual(["api.example.net"]);
});

test("TOOL-2: what can't be a host is said to be that, and nothing runs", async () => {
  const desk = await stage();
  for (const host of ["127.0.0.1", "[::1]", "0x7f.1", "https://example.org", "example.org:22", "", "a b"]) {
    const done = await desk.use("bash", { command: "touch ran", hosts: [host] });
    expect(done).toMatchObject({ status: "failed", text: expect.stringContaining(`'${host}' can't be a host: `) });
  }
  expect(await desk.text("ran")).toBeUndefined();
});
