import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { consoleOf, deskOf, LiveClient } from "../testing/live-client.ts";
import type { LiveGateway, SignedIn } from "../testing/live-gateway.ts";
import { liveGateway } from "../testing/temp-live.ts";

const SIGNED_OUT = { again: false, bye: expect.stringContaining("signed out") };

/** A socket from the console's page, and one from the desk's. */
async function both(gateway: LiveGateway, who: SignedIn): Promise<LiveClient[]> {
  return [await consoleOf(gateway, who, "ada"), await deskOf(gateway, who, "ada")];
}

async function expectSignedOut(clients: readonly LiveClient[]): Promise<void> {
  await Promise.all(clients.map(({ closed }) => closed));
  for (const { bye } of clients) expect(bye).toEqual(SIGNED_OUT);
}

test("LIVE-7: the sockets of a session end when it is revoked, the desk's too, and no others", async () => {
  const gateway = await liveGateway();
  const [first, second] = [await gateway.signIn("ada"), await gateway.signIn("ada")];
  const ending = await both(gateway, first);
  const staying = await both(gateway, second);
  await gateway.accounts.revoke(first.session);
  await expectSignedOut(ending);
  const { seq } = await (await gateway.computer("ada")).log.head();
  await (await gateway.computer("ada")).write("workspace/a", Buffer.from("a"));
  for (const client of staying) await client.untilSeq(seq + 1);
  await gateway.accounts.revokeAll("ada");
  await expectSignedOut(staying);
});

test("LIVE-7: sockets end with their account", async () => {
  const gateway = await liveGateway();
  await gateway.accounts.add("bob", "member");
  const client = await consoleOf(gateway, await gateway.signIn("bob"), "bob");
  await gateway.accounts.remove("bob");
  await expectSignedOut([client]);
});

test("LIVE-7: a socket ends when its session expires", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const soon = new Date(Date.now() + 3000).toISOString();
  change(gateway, "UPDATE session SET expiresAt = ? WHERE id = ?", soon, ada.session);
  const client = await LiveClient.open(gateway, { cookie: ada.cookie, origin: gateway.sites.console });
  client.hello("ada", ada.token);
  await expectSignedOut([client]);
});

test("LIVE-7: a session that another process ended is noticed with the next heartbeat", async () => {
  const gateway = await liveGateway({ beatMs: 400 });
  const ada = await gateway.signIn("ada");
  const clients = await both(gateway, ada);
  change(gateway, "DELETE FROM session WHERE id = ?", ada.session);
  await expectSignedOut(clients);
});

test("LIVE-7: a session that ends between the upgrade and the hello is over", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const client = await LiveClient.open(gateway, { cookie: ada.cookie, origin: gateway.sites.console });
  const { token } = gateway.deskTokens.give({ account: "ada", computer: "ada", session: "gone" });
  const desk = await LiveClient.open(gateway, { origin: gateway.sites.desk("ada") });
  await gateway.accounts.revoke(ada.session);
  client.hello("ada", ada.token);
  desk.hello("ada", token);
  await expectSignedOut([client, desk]);
  expect(client.heard).toHaveLength(1);
});

test("LIVE-8: a server that closes tells every socket, and waits for none that doesn't listen", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const [polite, stubborn] = [await consoleOf(gateway, ada, "ada"), await consoleOf(gateway, ada, "ada")];
  stubborn.socket.pause();
  await gateway.app.close();
  await polite.closed;
  expect(polite.bye).toEqual({ again: true, bye: "The server stops." });
  await expect.poll(() => gateway.users("ada")).toBe(0);
});

test("LIVE-9: nobody gets in without a name of ours, a page of ours, and, at the console, a session", async () => {
  const gateway = await liveGateway();
  const { cookie } = await gateway.signIn("ada");
  const { console } = gateway.sites;
  const desk = gateway.sites.desk("ada");
  const refused = async (from: { origin: string; host?: string; cookie?: string }) => {
    const { socket } = new LiveClient(gateway, from);
    return new Promise((resolve) => {
      socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode));
      socket.once("open", () => resolve("open"));
    });
  };
  expect(await refused({ origin: console })).toBe(401);
  expect(await refused({ origin: "http://evil.example", host: new URL(console).host, cookie })).toBe(403);
  expect(await refused({ origin: desk, host: new URL(console).host, cookie })).toBe(403);
  expect(await refused({ origin: console, host: new URL(desk).host, cookie })).toBe(403);
  expect(await refused({ origin: console, host: "evil.example", cookie })).toBe(421);
  expect(await refused({ origin: `http://localhost:${gateway.port}`, cookie })).toBe(403);
  expect(await refused({ origin: console, cookie })).toBe("open");
});

test("LIVE-9: somebody else's computer is answered like one that isn't there, and no token opens it", async () => {
  const gateway = await liveGateway();
  await gateway.accounts.add("bob", "member");
  const [ada, bob] = [await gateway.signIn("ada"), await gateway.signIn("bob")];
  const { console } = gateway.sites;
  const desk = (computer: string) => gateway.sites.desk(computer);
  const give = (computer: string) => gateway.deskTokens.give({ account: "ada", computer, session: ada.session }).token;
  const saidTo = async (from: { origin: string; cookie?: string }, computer: string, token: string) => {
    const client = await LiveClient.open(gateway, from);
    client.hello(computer, token);
    await client.closed;
    expect(client.heard).toHaveLength(1);
    return client.bye?.bye;
  };
  const missing = await saidTo({ origin: console, cookie: bob.cookie }, "nobody", bob.token);
  expect(missing).toContain("nothing here");
  expect(await saidTo({ origin: console, cookie: bob.cookie }, "ada", bob.token)).toBe(missing);
  expect(await saidTo({ origin: console, cookie: bob.cookie }, "ada", ada.token)).toBe(missing);
  expect(await saidTo({ origin: desk("bob") }, "bob", give("ada"))).toBe(missing);
  expect(await saidTo({ origin: desk("ada") }, "bob", give("ada"))).toBe(missing);
  expect(await saidTo({ origin: desk("bob") }, "ada", give("ada"))).toBe(missing);
  expect(await saidTo({ origin: desk("bob") }, "bob", give("bob"))).toBe(missing);
  expect(await saidTo({ origin: console, cookie: ada.cookie }, "ada", give("ada"))).toContain("console's own page");
  expect(await saidTo({ origin: desk("ada") }, "ada", ada.token)).toContain("Sign in");
  expect(await saidTo({ origin: desk("ada"), cookie: ada.cookie }, "ada", "")).toContain("Sign in");
});

test("LIVE-9: a desk token opens what reads and acts, and nothing that is the console's", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const desk = await deskOf(gateway, ada, "ada");
  const commands = [
    { do: "verify", id: "verify", request: {} },
    { do: "rebuild", id: "rebuild", request: {} },
    { do: "files", id: "files", request: {} },
    { do: "rm", id: "rm", request: { key: "workspace/none" } },
  ];
  for (const command of commands) desk.say(command);
  for (const id of ["rebuild"])
    expect(await desk.answer(id)).toMatchObject({ problem: { detail: expect.stringContaining("console's own page") } });
  for (const id of ["files", "rm", "verify"]) expect(await desk.answer(id)).toHaveProperty("answer");
  const trusted = await consoleOf(gateway, ada, "ada");
  for (const command of commands) trusted.say(command);
  for (const { id } of commands) expect(await trusted.answer(id)).toHaveProperty("answer");
});

/** As another process would. */
function change({ accountsFile }: LiveGateway, statement: string, ...values: string[]): void {
  const db = new DatabaseSync(accountsFile);
  db.prepare(statement).run(...values);
  db.close();
}
