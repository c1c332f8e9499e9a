import { connect } from "node:net";
import { expect, test } from "vitest";
import { consoleOf, LiveClient } from "../testing/live-client.ts";
import { grow, type LiveGateway, type SignedIn } from "../testing/live-gateway.ts";
import { liveGateway } from "../testing/temp-live.ts";

async function stranger(gateway: LiveGateway, { cookie }: SignedIn, autoPong = true): Promise<LiveClient> {
  return LiveClient.open(gateway, { autoPong, cookie, origin: gateway.sites.console });
}

test("LIVE-10: what is no hello, or no message, gets a bye that says so", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const said = async (client: LiveClient, data: string | Buffer) => {
    client.socket.send(data);
    expect(await client.closed).toBe(1008);
    return client.bye?.bye;
  };
  const first = async (data: string | Buffer) => said(await stranger(gateway, ada), data);
  expect(await first("{")).toContain("has to be a hello");
  expect(await first(JSON.stringify({ do: "files", id: "1", request: {} }))).toContain("has to be a hello");
  expect(await first(JSON.stringify({ computer: "../ada", from: 0, hello: 1, token: "" }))).toContain("computer");
  expect(await first(`{"hello":1,"__proto__":{"computer":"ada"}}`)).toContain("has to be a hello");
  expect(await first(Buffer.from("{}"))).toContain("text");
  expect(await first(JSON.stringify("x".repeat(300_000)))).toContain("too long");
  const later = async (data: string | Buffer) => said(await consoleOf(gateway, ada, "ada"), data);
  expect(await later("null")).toContain("no such message");
  expect(await later("[".repeat(100_000))).toContain("no such message");
  expect(await later(JSON.stringify({ do: "files", id: "../1", request: {} }))).toContain("no such message");
  expect(await later(JSON.stringify({ computer: "ada", from: 1, hello: 1, token: ada.token }))).toContain(
    "no such message",
  );
  expect(await later(Buffer.from("{}"))).toContain("text");
  expect(gateway.reports).toEqual([]);
  await expect.poll(() => gateway.users("ada")).toBe(0);
});

test("LIVE-10: what breaks the protocol gets its close code", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const mask = [0, 0, 0, 0];
  const frames: [bytes: Buffer, code: number][] = [
    [Buffer.from([0x83, 0x80, ...mask]), 1002], // an opcode that isn't one
    [Buffer.from([0xf1, 0x80, ...mask]), 1002], // bits that nobody agreed on
    [Buffer.from([0x81, 0x00]), 1002], // without a mask
    [Buffer.from([0x80, 0x80, ...mask]), 1002], // goes on with what hadn't begun
    [Buffer.from([0x81, 0x82, ...mask, 0xc3, 0x28]), 1007], // no UTF-8
    [Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, ...mask]), 1009], // a terabyte
    [Buffer.from([0x89, 0xfe, 0, 200, ...mask]), 1002], // a ping that is too long
  ];
  for (const [bytes, code] of frames) {
    const client = await stranger(gateway, ada);
    raw(client).write(bytes);
    expect({ bytes, code: await client.closed }).toEqual({ bytes, code });
  }
  expect(gateway.reports).toEqual([]);
});

test("LIVE-10: a request to upgrade that is cut off, or goes elsewhere, does no harm", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const head = [
    ...["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"],
    ...[`Host: choir.localhost:${gateway.port}`, `Origin: ${gateway.sites.console}`, `Cookie: ${ada.cookie}`],
  ];
  const ask = (lines: readonly string[]) =>
    new Promise<string>((resolve) => {
      let answer = "";
      const socket = connect(gateway.port, "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
      socket.on("data", (data) => {
        answer += data;
      });
      socket.on("close", () => resolve(answer.split("\r\n", 1)[0] ?? ""));
      socket.on("error", () => {});
    });
  expect(await ask(["GET /api/ws HTTP/1.1", ...head])).toContain("400"); // no key
  expect(await ask(["GET /api/ws HTTP/1.1", ...head, "Sec-WebSocket-Key: short"])).toContain("400");
  expect(await ask(["GET /api/none HTTP/1.1", ...head, `Sec-WebSocket-Key: ${"A".repeat(22)}==`])).toMatch(
    / (101|404) /,
  );
  const client = await consoleOf(gateway, ada, "ada");
  client.say({ do: "files", id: "well", request: {} });
  expect(await client.answer("well")).toHaveProperty("answer");
});

test("LIVE-10: a crowd of strangers locks out nobody who is signed in", async () => {
  const gateway = await liveGateway({ strangers: 3 });
  const from = { origin: gateway.sites.desk("ada") };
  for (let i = 0; i < 3; i++) await LiveClient.open(gateway, from);
  const crowd = await LiveClient.open(gateway, from);
  await crowd.closed;
  expect(crowd.bye).toEqual({ again: true, bye: "Too many come at once." });
  const welcomed = await consoleOf(gateway, await gateway.signIn("ada"), "ada");
  expect(welcomed.bye).toBeUndefined();
});

test("LIVE-10: who says nothing, comes too often, or sends too much is told, and closed", async () => {
  const gateway = await liveGateway({ helloMs: 1500, messagesPerSecond: 50, socketsPerUser: 2, strangers: 3 });
  const ada = await gateway.signIn("ada");
  const silent = [await stranger(gateway, ada), await stranger(gateway, ada), await stranger(gateway, ada)];
  const crowd = await stranger(gateway, ada);
  await crowd.closed;
  expect(crowd.bye).toEqual({ again: true, bye: "Too many come at once." });
  for (const client of silent) {
    await client.closed;
    expect(client.bye).toEqual({ again: false, bye: "No hello came." });
  }
  const open = [await consoleOf(gateway, ada, "ada"), await consoleOf(gateway, ada, "ada")];
  const third = await stranger(gateway, ada);
  third.hello("ada", ada.token);
  await third.closed;
  expect(third.bye?.bye).toContain("2 sockets");
  const [loud, pinging] = open;
  for (let i = 0; i < 120; i++) {
    loud?.say({ signal: { payload: {}, type: "cursor.moved" } });
    pinging?.socket.ping();
  }
  for (const client of open) {
    await client.closed;
    expect(client.bye).toEqual({ again: true, bye: "Too many messages at once." });
  }
});

test("LIVE-10: so many commands of one socket run at once, and no more", async () => {
  const gateway = await liveGateway({ commandsAtOnce: 2 });
  const client = await consoleOf(gateway, await gateway.signIn("ada"), "ada");
  for (const id of ["a", "b", "c"]) client.say({ do: "events", id, request: { follow: true, from: 1 } });
  expect(await client.answer("c")).toMatchObject({ problem: { title: "Too many at once" } });
  client.say({ stop: "a" });
  expect(await client.answer("a")).toMatchObject({ problem: { title: "Stopped" } });
  client.say({ do: "files", id: "d", request: {} });
  expect(await client.answer("d")).toHaveProperty("answer");
});

test("LIVE-11: a peer that doesn't answer heartbeats is dropped, and one that does stays", async () => {
  const gateway = await liveGateway({ beatMs: 1500 });
  const ada = await gateway.signIn("ada");
  const alive = await consoleOf(gateway, ada, "ada");
  const dead = await stranger(gateway, ada, false);
  dead.hello("ada", ada.token);
  await dead.closed;
  expect(dead.bye).toEqual({ again: true, bye: "You don't answer." });
  expect(alive.bye).toBeUndefined();
});

test("LIVE-11: a beat is answered with one, also before the computer is open", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const early = await stranger(gateway, ada);
  early.hello("ada", ada.token);
  early.say({ beat: true });
  await early.until((message) => "welcome" in message);
  expect(early.heard.slice(0, 2)).toEqual([{ beat: true }, { welcome: { computer: "ada", head: 1 } }]);
  early.say({ beat: true });
  await expect.poll(() => early.heard.filter((message) => "beat" in message).length).toBe(2);
  expect(early.bye).toBeUndefined();
});

test("LIVE-11: who doesn't read is told, and closed, and comes back to the rest", { timeout: 60_000 }, async () => {
  const gateway = await liveGateway({ roomBytes: 64 * 1024, slowMs: 300 });
  const computer = await gateway.computer("ada");
  const ada = await gateway.signIn("ada");
  const slow = await consoleOf(gateway, ada, "ada");
  slow.socket.pause();
  for (let i = 0; i < 60; i++) await grow(computer, 400_000);
  const { seq: head } = await computer.log.head();
  await expect.poll(() => gateway.users("ada")).toBe(0);
  slow.socket.resume();
  await slow.closed;
  expect(slow.bye).toEqual({ again: true, bye: expect.stringContaining("don't take") });
  expect(slow.seqs.length).toBeLessThan(head);
  const again = await consoleOf(gateway, ada, "ada", slow.seqs.length + 1);
  await again.untilSeq(head);
  expect([...slow.seqs, ...again.seqs]).toEqual(Array.from({ length: head }, (_, i) => i + 1));
});

/** Below the library, to send what it wouldn't. */
function raw({ socket }: LiveClient): NodeJS.WritableStream {
  return (socket as unknown as { _socket: NodeJS.WritableStream })._socket; // it gives no other way
}
