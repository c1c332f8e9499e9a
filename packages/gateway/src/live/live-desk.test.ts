import { newId, type WindowValue } from "@choiros/contract";
import { expect, test } from "vitest";
import { deskOf, type LiveClient } from "../testing/live-client.ts";
import { liveGateway } from "../testing/temp-live.ts";

async function atDesk() {
  const gateway = await liveGateway();
  const ada = await gateway.signIn("ada");
  const desk = await deskOf(gateway, ada, "ada");
  return { computer: await gateway.computer("ada"), desk, gateway };
}

/** The answer to a command, with its items. */
async function ask(client: LiveClient, name: string, request: object, id = newId()) {
  client.say({ do: name, id, request });
  const said = await client.answer(id);
  const items = client.heard.flatMap((message) => ("item" in message && message.id === id ? [message.item] : []));
  return { items, said };
}

const VALUE: WindowValue = {
  app: "editor",
  args: { key: "workspace/a.md" },
  box: { x: 10, y: 10, w: 640, h: 480 },
  state: "normal",
  title: "a.md",
  z: 1,
};

test("LIVE-13: what a desk does to windows is in the rows that the next one begins with", async () => {
  const { computer, desk, gateway } = await atDesk();
  const open = { as: "open", changes: [{ after: VALUE, key: "window.1" }] };
  const id = newId();
  expect((await ask(desk, "change-windows", open, id)).said).toMatchObject({ answer: { call: id, ok: true } });
  expect((await ask(desk, "change-windows", open, id)).said).toMatchObject({ answer: { call: id, ok: true } });
  const { seq } = await computer.log.head();
  expect(await ask(desk, "rows", { table: "window" })).toMatchObject({
    items: [{ key: "window.1", seq, value: VALUE }],
    said: { answer: { seq } },
  });
  await desk.untilSeq(seq);
  expect(desk.events.at(-1)).toMatchObject({ id, type: "window.open" });
  const wrong = { as: "open", changes: [{ after: { ...VALUE, box: { x: 0.5 } }, key: "window.2" }] };
  expect((await ask(desk, "change-windows", wrong)).said).toMatchObject({
    problem: { detail: expect.stringContaining("changes.0.after.box") },
  });
  expect(gateway.reports).toEqual([]);
});

test("LIVE-13: whoever follows from the event after the rows misses nothing and sees nothing twice", async () => {
  const { computer, desk } = await atDesk();
  const change = (x: number) => computer.changeSettings(new Map([["x", x]]));
  const changing = Array.from({ length: 20 }, (_, x) => change(x));
  const { items, said } = await ask(desk, "rows", { table: "setting" });
  await Promise.all(changing);
  const seq = "answer" in said ? Object(said.answer).seq : undefined;
  const begun = items.length === 0 ? -1 : Object(items[0]).value;
  expect(begun).toBe(seq - 2); // event 1 made the log, and each after it one more
});

test("LIVE-13: what is said is a message by its id, which is its ask; sent again, it is said once", async () => {
  const { computer, desk } = await atDesk();
  const say = { paths: ["workspace/a.md"], text: "make it shorter" };
  for (let i = 0; i < 2; i++)
    expect((await ask(desk, "say", say, "ask-1")).said).toMatchObject({ answer: { call: "ask-1", ok: true, seq: 2 } });
  expect((await computer.log.head()).seq).toBe(2);
  const { items } = await ask(desk, "rows", { table: "message" });
  expect(items).toMatchObject([{ value: { ask: "ask-1", conversation: "ask-1", text: "make it shorter" } }]);
});

test("LIVE-13: many deeds are one event; a name that is taken is refused with its path, and nothing is done", async () => {
  const { computer, desk } = await atDesk();
  const deeds = [{ folder: { key: "workspace/d" } }, { file: { key: "workspace/d/a.md" } }];
  expect((await ask(desk, "arrange", { deeds })).said).toMatchObject({ answer: { changed: 2, ok: true, seq: 2 } });
  const again = [{ copy: { from: "workspace/d", to: "workspace/e" } }, { folder: { key: "workspace/d" } }];
  expect((await ask(desk, "arrange", { deeds: again })).said).toMatchObject({
    answer: { message: expect.stringContaining("d is there already"), ok: false },
  });
  expect((await computer.log.head()).seq).toBe(2);
});

test("LIVE-13: paths are found by words in their names, the best first, and no more than were asked for", async () => {
  const { computer, desk } = await atDesk();
  for (const name of ["old/letter.md", "My Letter.md", "x.md"]) await computer.write(`workspace/${name}`, Buffer.of());
  const { items, said } = await ask(desk, "find", { text: "LETTER" });
  expect(items).toMatchObject([{ key: "workspace/old/letter.md" }, { key: "workspace/My Letter.md" }]);
  expect(said).toMatchObject({ answer: { count: 2 } });
  expect((await ask(desk, "find", { limit: 1, text: "md" })).items.length).toBe(1);
});

test("LIVE-3: with pages, the items of a list come many at a time, in order and all before the answer", async () => {
  const { computer, desk } = await atDesk();
  const names = Array.from({ length: 1200 }, (_, i) => `workspace/d/${String(i).padStart(4, "0")}`);
  const deeds = names.map((key) => ({ file: { key } }));
  await computer.arrange(deeds.slice(0, 600));
  await computer.arrange(deeds.slice(600));
  const id = newId();
  desk.say({ do: "files", id, pages: true, request: { deep: false, key: "workspace/d" } });
  await desk.answer(id);
  const heard = desk.heard.filter((message) => "id" in message && message.id === id);
  const pages = heard.flatMap((message) => ("items" in message ? [message.items] : []));
  expect(pages.flat().map((line) => Object(line).key)).toEqual(names);
  expect(pages.length).toBeLessThan(12);
  expect(heard.at(-1)).toHaveProperty("answer");
});

test("WEB-37: a folder is listed without what is deeper, each entry with the time it became so, and who made it", async () => {
  const { computer, desk } = await atDesk();
  await computer.write("workspace/d/e/deep", Buffer.from("1"));
  await computer.write("workspace/d/x", Buffer.from("12"));
  const [, made, wrote] = await Array.fromAsync(computer.log.read());
  const { items, said } = await ask(desk, "files", { deep: false, key: "workspace/d" });
  expect(items).toMatchObject([
    { entry: { kind: "dir" }, key: "workspace/d/e", seq: 2, ts: made?.ts, by: "user" },
    { entry: { kind: "file", size: 2 }, key: "workspace/d/x", seq: 3, ts: wrote?.ts, by: "user" },
  ]);
  expect(said).toMatchObject({ answer: { count: 2, found: true } });
  expect(await ask(desk, "files", { deep: false, key: "workspace/none" })).toMatchObject({
    said: { answer: { count: 0, found: false } },
  });
  expect((await ask(desk, "files", { deep: false })).said).toHaveProperty("problem");
});

test("LIVE-13: what is arranged in several parts of one call is undone as one", async () => {
  const { computer, desk } = await atDesk();
  const call = newId();
  for (const name of ["a", "b"]) await ask(desk, "arrange", { call, deeds: [{ file: { key: `workspace/${name}` } }] });
  expect((await ask(desk, "undo", { choices: { each: [] }, target: { call } })).said).toMatchObject({
    answer: { changed: 2, ok: true },
  });
  expect((await Array.fromAsync(computer.files({ under: "workspace" }))).flat()).toEqual([]);
});

test("WEB-39: what changed between two moments is told of one path, with its lines", async () => {
  const { computer, desk } = await atDesk();
  for (const text of ["one\n", "two\n"])
    for (const name of ["a.md", "d/b.md"]) await computer.write(`workspace/${name}`, Buffer.from(text));
  const { items } = await ask(desk, "diff", { from: 2, key: "workspace/a.md", lines: true });
  expect(items).toMatchObject([{ change: { key: "workspace/a.md" }, lines: expect.stringContaining("-one\n+two\n") }]);
  expect((await ask(desk, "diff", { from: 1, key: "workspace/d", lines: false })).items.length).toBe(2);
});

test("WEB-40: what a command wrote is read by the event that says how it ended, from any place on", async () => {
  const { computer, desk } = await atDesk();
  const output = await computer.contents.put(Buffer.from("one\ntwo\n"));
  const appended = await computer.log.append({
    cause: { call: newId() },
    payload: { exit: 0, output, status: "ok" },
    source: "user",
    type: "tool.result",
  });
  const seq = appended.ok ? appended.seq : 0;
  const read = async (request: object) => {
    const id = newId();
    const { said } = await ask(desk, "output", request, id);
    const pieces = desk.heard.flatMap((message) => ("output" in message && message.id === id ? [message.output] : []));
    return { said, text: Buffer.concat(pieces.map((piece) => Buffer.from(piece, "base64"))).toString() };
  };
  expect(await read({ seq })).toMatchObject({ said: { answer: { found: true } }, text: "one\ntwo\n" });
  expect(await read({ from: 4, seq })).toMatchObject({ text: "two\n" });
  expect(await read({ from: 99, seq })).toMatchObject({ said: { answer: { found: true } }, text: "" });
  for (const other of [1, seq + 1])
    expect(await read({ seq: other })).toMatchObject({ said: { answer: { found: false } } });
});

test("WEB-44: a desk is told whether asks are answered, and why not where nobody is there", async () => {
  const { desk } = await atDesk();
  expect((await ask(desk, "agents", {})).said).toMatchObject({ answer: { ready: false, why: expect.any(String) } });
});

test("LIVE-14: a desk lets an ask that paused go on, leaves it, reads what it answered, and stops it by a signal; it approves nothing", async () => {
  const { computer, desk, gateway } = await atDesk();
  await ask(desk, "say", { text: "write it" }, "ask-1");
  expect((await ask(desk, "resume-ask", { ask: "ask-1" })).said).toMatchObject({ answer: { ok: false } });
  const cause = { ask: "ask-1", conversation: "ask-1" };
  const paused = { source: "agent", type: "ask.paused", cause, payload: { detail: "", why: "stopped" } } as const;
  await computer.log.append(paused);
  expect((await ask(desk, "resume-ask", { ask: "ask-1" })).said).toMatchObject({ answer: { ok: true } });
  await computer.log.append(paused);
  expect((await ask(desk, "leave-ask", { ask: "ask-1" })).said).toMatchObject({ answer: { ok: true } });

  const answer = await computer.contents.put(Buffer.from("All is written."));
  const answered = await computer.log.append({
    source: "agent",
    type: "ask.answered",
    cause,
    payload: { answer, look: [], status: "done" },
  });
  const seq = answered.ok ? answered.seq : 0;
  const id = newId();
  expect((await ask(desk, "output", { part: "answer", seq }, id)).said).toMatchObject({ answer: { found: true } });
  const bytes = desk.heard.flatMap((one) =>
    "output" in one && one.id === id ? [Buffer.from(one.output, "base64")] : [],
  );
  expect(Buffer.concat(bytes).toString()).toBe("All is written.");
  expect((await ask(desk, "output", { seq })).said).toMatchObject({ answer: { found: false } });

  const stopped = Promise.withResolvers<unknown>();
  gateway.signals("ada").listen(stopped.resolve);
  desk.say({ signal: { type: "ask.stop", cause, payload: {} } });
  expect(await stopped.promise).toMatchObject({ type: "ask.stop", cause });
  const given = await ask(desk, "answer", { approval: "p1", decision: "once" });
  expect(given.said).toMatchObject({ problem: { detail: "only the console's own page may do this" } });
});

test("LIVE-14: a tool that an agent called comes with what it was about", async () => {
  const { computer, desk } = await atDesk();
  const call = async (tool: string, input: object) => {
    const kept = await computer.contents.put(Buffer.from(JSON.stringify(input)));
    await computer.log.append({
      source: "agent",
      type: "tool.call",
      cause: { call: newId() },
      payload: { input: kept, tool },
    });
  };
  await call("read_file", { path: "notes.md", limit: 3 });
  await call("exec", { argv: ["bash", "-c", "npm test"], cwd: "workspace" });
  await call("search_files", { path: "site", text: "feed" });
  await call("job_stop", {});
  const { items } = await ask(desk, "events", { type: ["tool.call"] });
  expect(items.map((item) => Object(item).command)).toEqual([
    "read_file notes.md",
    "npm test",
    "search_files feed",
    undefined,
  ]);
});
