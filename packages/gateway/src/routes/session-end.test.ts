import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox } from "@choiros/sandbox";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TempGateway, tempGateway } from "../testing/temp-gateway.ts";

const runDir = mkdtempSync(join(tmpdir(), "choir-run-"));
let stage: TempGateway;

beforeAll(async () => {
  stage = await tempGateway(["ada"], { sandbox: (root) => openSandbox({ root, runDir }) });
});
afterAll(async () => {
  await stage.close();
  rmSync(runDir, { recursive: true, force: true });
});

function ask(method: string, path: string, headers: Record<string, string>): ClientRequest {
  const asked = request({ port: stage.port, host: "127.0.0.1", method, path, headers });
  return asked.on("error", () => {}); // being cut off is an answer, too
}

test.each(["console", "desk"] as const)(
  "LIVE-7: a command of the %s's ends with its session, over HTTP",
  async (by) => {
    const ada = await stage.signIn("ada");
    const headers = { ...ada[by], "content-type": "application/json" };
    const asked = ask("POST", "/api/computers/ada/exec", headers);
    asked.end(JSON.stringify({ argv: ["sh", "-c", "echo begun; exec sleep 1000"] }));
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    for await (const line of answer.setEncoding("utf8").iterator({ destroyOnReturn: false }))
      if (line.includes("output")) break;
    await stage.accounts.revoke(ada.session);
    answer.resume();
    await once(answer, "end");
    const { log } = await stage.computer("ada");
    const last = await Array.fromAsync(log.read({ from: (await log.head()).seq }));
    expect(last).toMatchObject([{ type: "tool.result", payload: { status: "stopped" } }]);
  },
);

test("LIVE-7: a download breaks off when its session ends", async () => {
  const ada = await stage.signIn("ada");
  await (await stage.computer("ada")).write("workspace/large", Buffer.alloc(50_000_000, 1));
  const asked = ask("GET", "/api/computers/ada/file/workspace/large", ada.console);
  asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  await once(answer, "readable");
  await stage.accounts.revoke(ada.session);
  await expect(Array.fromAsync(answer)).rejects.toThrow("aborted");
});

test("LIVE-7: a session that ends while it is being looked at opens nothing", async () => {
  const ada = await stage.signIn("ada");
  const look = vi.spyOn(stage.accounts, "holder").mockImplementationOnce(async (computer) => {
    await stage.accounts.revoke(ada.session); // after it was recognised
    return stage.accounts.holder(computer);
  });
  const { statusCode } = await stage.ask({ url: "/api/computers/ada/files", headers: ada.console });
  look.mockRestore();
  expect(statusCode).toBe(401);
});

test.each([
  ["POST", "/api/users", { name: "eve", role: "owner" }],
  ["POST", "/api/computers", { name: "other" }],
  ["POST", "/api/computers/ada/exec", { argv: ["true"] }],
])(
  "LIVE-7: what %s %s is sent in time, but for its last byte, does nothing after its session",
  async (method, path, body) => {
    const ada = await stage.signIn("ada");
    const text = JSON.stringify(body);
    const headers = { ...ada.console, "content-type": "application/json", "content-length": `${text.length}` };
    const asked = ask(method, path, headers);
    const begun = vi.spyOn(stage.accounts, "onEnd");
    asked.write(text.slice(0, -1));
    await expect.poll(() => begun.mock.calls.length).toBe(1);
    begun.mockRestore();
    await stage.accounts.revoke(ada.session);
    asked.end(text.slice(-1));
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(401);
    expect((await stage.accounts.list()).map(({ id }) => id)).toEqual(["ada"]);
  },
);

test.each([
  ["PUT", "/api/computers/ada/file/workspace/half"],
  ["POST", "/api/computers/import?name=other"],
])("LIVE-7: an upload by %s %s ends with its session, and has not happened", async (method, path) => {
  const ada = await stage.signIn("ada");
  const asked = ask(method, path, { ...ada.console, "content-type": "application/octet-stream" });
  const begun = vi.spyOn(stage.accounts, "onEnd");
  asked.write("half");
  await expect.poll(() => begun.mock.calls.length).toBe(1);
  begun.mockRestore();
  const answered = once(asked, "response") as Promise<[IncomingMessage]>;
  await stage.accounts.revoke(ada.session);
  const [answer] = await answered;
  expect(answer.statusCode).toBe(422);
  asked.destroy();
  expect(await (await stage.computer("ada")).read("workspace/half")).toBeUndefined();
  expect((await stage.accounts.computers("ada")).map(({ id }) => id)).toEqual(["ada"]);
  expect(stage.reports).toEqual([]);
});

test("ACC-24: a session lasts longer when the console asks who is signed in", async () => {
  const ada = await stage.signIn("ada");
  const ask = () => stage.ask({ url: "/api/me", headers: ada.console });
  expect((await ask()).headers["set-cookie"]).toBeUndefined();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 24 * 60 * 60_000 });
  const { headers } = await ask();
  vi.useRealTimers();
  expect(headers["set-cookie"]).toMatch(/Max-Age=2592000;.*HttpOnly/);
});
