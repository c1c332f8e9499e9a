import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import { consoleOf, deskOf, LiveClient } from "../testing/live-client.ts";
import { liveGateway } from "../testing/temp-live.ts";

const write = (text: string) => Buffer.from(text);

test("LIVE-1: who says hello is welcomed with the last event, hears all from the one asked for, and then each that comes", async () => {
  const gateway = await liveGateway();
  const computer = await gateway.computer("ada");
  await computer.write("workspace/a", write("a"));
  const ada = await gateway.signIn("ada");
  const all = await consoleOf(gateway, ada, "ada");
  const { seq: head } = await computer.log.head();
  expect(all.heard[0]).toEqual({ welcome: { computer: "ada", head } });
  const late = await consoleOf(gateway, ada, "ada", head);
  await computer.write("workspace/b", write("b"));
  await Promise.all([all.untilSeq(head + 1), late.untilSeq(head + 1)]);
  expect(all.seqs).toEqual(Array.from({ length: head + 1 }, (_, i) => i + 1));
  expect(late.seqs).toEqual([head, head + 1]);
  expect(all.events.at(-1)).toMatchObject({ type: "file.write", user_id: "ada" });
});

test("LIVE-1: who has seen events that aren't there is told to begin anew", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const client = await LiveClient.open(gateway, { cookie: ada.cookie, origin: gateway.sites.console });
  client.hello("ada", ada.token, 1000);
  await client.closed;
  expect(client.bye).toEqual({ again: false, bye: expect.stringContaining("Begin anew") });
});

test("LIVE-3: a command is answered by its id, with its items before", async () => {
  const gateway = await liveGateway();
  const computer = await gateway.computer("ada");
  await computer.write("workspace/a", write("hello"));
  const client = await consoleOf(gateway, await gateway.signIn("ada"), "ada");
  client.say({ do: "files", id: "list", request: {} });
  client.say({ do: "cat", id: "read", request: { key: "workspace/a" } });
  expect(await client.answer("list")).toMatchObject({ answer: { found: true } });
  expect(await client.answer("read")).toMatchObject({ answer: { found: true } });
  const items = client.heard.filter((message) => "item" in message && message.id === "list");
  expect(items).toContainEqual({ id: "list", item: expect.objectContaining({ key: "workspace/a" }) });
  expect(client.heard).toContainEqual({ aside: false, id: "read", output: write("hello").toString("base64") });
});

test("LIVE-3: what can't be asked is a problem of that command, and the socket goes on", async () => {
  const gateway = await liveGateway();
  const client = await consoleOf(gateway, await gateway.signIn("ada"), "ada");
  for (const name of ["export", "import", "add", "write", "constructor", "fly"])
    client.say({
      do: name,
      id: name,
      request: { file: "/etc/passwd", folder: "/etc", key: "workspace/a", to: "workspace/x" },
    });
  client.say({ do: "undo", id: "odd", request: { target: "everything" } });
  client.say({ do: "diff", id: "far", request: { from: 999, lines: false } });
  for (const id of ["export", "import", "add", "write", "constructor", "fly", "odd", "far"])
    expect(await client.answer(id)).toMatchObject({ problem: { title: "It can't be done" } });
  client.say({ do: "files", id: "after", request: {} });
  expect(await client.answer("after")).toHaveProperty("answer");
  expect(gateway.reports).toEqual([]);
});

test("LIVE-4: a command that is sent again does nothing twice, and is answered again", async () => {
  const gateway = await liveGateway();
  const computer = await gateway.computer("ada");
  const { seq } = (await computer.write("workspace/a", write("one"))) as { seq: number };
  const ada = await gateway.signIn("ada");
  const undo = { do: "undo", id: newId(), request: { choices: { each: [] }, target: { seq } } };
  const first = await consoleOf(gateway, ada, "ada");
  first.say(undo);
  first.say(undo);
  const answer = await first.answer(undo.id);
  expect(answer).toMatchObject({ answer: { call: undo.id, changed: 1, ok: true, seq: seq + 1 } });
  const second = await consoleOf(gateway, ada, "ada");
  second.say(undo);
  expect(await second.answer(undo.id)).toMatchObject({ answer: { call: undo.id, ok: true, seq: seq + 1 } });
  expect((await computer.log.head()).seq).toBe(seq + 1);
});

test("LIVE-6: a signal reaches all sockets of its computer, and none of another's", async () => {
  const gateway = await liveGateway();
  await gateway.accounts.add("bob", "member");
  const [ada, bob] = [await gateway.signIn("ada"), await gateway.signIn("bob")];
  const [one, two] = [await consoleOf(gateway, ada, "ada"), await deskOf(gateway, ada, "ada")];
  const other = await consoleOf(gateway, bob, "bob");
  const signal = { payload: { at: 3 }, type: "cursor.moved" };
  one.say({ signal });
  await Promise.all([one, two].map((client) => client.until((message) => "signal" in message)));
  expect(two.heard).toContainEqual({ signal });
  gateway.signals("bob").send({ payload: {}, type: "cursor.moved" });
  await other.until((message) => "signal" in message);
  expect(other.heard.filter((message) => "signal" in message)).toEqual([
    { signal: { payload: {}, type: "cursor.moved" } },
  ]);
});

test("LIVE-9: over a socket, too, only the server's owner allows something for good", async () => {
  const gateway = await liveGateway();
  await gateway.accounts.add("bob", "member");
  for (const id of ["bob", "ada"]) {
    const client = await consoleOf(gateway, await gateway.signIn(id), id);
    const { log } = await gateway.computer(id);
    await log.append({ source: "agent", type: "approval.asked", payload: { approval: "p1", covers: "network *" } });
    client.say({ do: "answer", id: "a1", request: { approval: "p1", decision: "always" } });
    const said = await client.answer("a1");
    if (id === "ada") expect(said).toMatchObject({ answer: { ok: true } });
    else expect(said).toMatchObject({ problem: { detail: expect.stringContaining("Only the owner of this server") } });
  }
});

test("LIVE-6: a page signals what is a page's to say, and speaks for no agent", async () => {
  const gateway = await liveGateway();
  const heard: unknown[] = [];
  gateway.signals("ada").listen((signal) => heard.push(signal));
  const ada = await gateway.signIn("ada");
  for (const type of ["agent.text", "tool.output", "agent.wait"]) {
    const desk = await deskOf(gateway, ada, "ada");
    desk.say({ signal: { cause: { ask: "a1" }, payload: { text: "All is well." }, type } });
    await desk.closed;
    expect(desk.bye).toEqual({
      again: false,
      bye: `A page can't signal '${type}', only ask.stop and cursor.moved.`,
    });
  }
  expect(heard).toEqual([]);
});

test("LIVE-12: a computer is used as long as a socket is open to it", async () => {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const [one, two] = [await consoleOf(gateway, ada, "ada"), await consoleOf(gateway, ada, "ada")];
  expect(gateway.users("ada")).toBe(2);
  one.socket.close();
  two.socket.terminate();
  await Promise.all([one.closed, two.closed]);
  await expect.poll(() => gateway.users("ada")).toBe(0);
});
