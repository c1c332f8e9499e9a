import { mkdirSync, rmSync } from "node:fs";
import { newId } from "@choiros/contract";
import { openSandbox } from "@choiros/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS_AT_ONCE } from "../operations/executing.ts";
import { consoleOf, deskOf, type LiveClient } from "../testing/live-client.ts";
import type { LiveGateway } from "../testing/live-gateway.ts";
import { liveGateway } from "../testing/temp-live.ts";

/** Whose commands really run. */
function running(): Promise<LiveGateway> {
  return liveGateway({}, (root) => {
    const runDir = `${root}-run`;
    mkdirSync(runDir, { mode: 0o700 });
    onTestFinished(() => rmSync(runDir, { recursive: true, force: true }));
    return openSandbox({ root, runDir });
  });
}

function run(script: string) {
  const request = { argv: ["sh", "-c", script], cwd: "workspace", egress: "none", env: {}, keep: false, limits: {} };
  return { do: "exec", id: newId(), request: { ...request, reads: false } };
}

/** What a command has written so far, to the one who heard it. */
function output({ heard }: LiveClient, id: string): string {
  const pieces = heard.flatMap((message) => ("output" in message && message.id === id ? [message.output] : []));
  return pieces.map((piece) => Buffer.from(piece, "base64").toString()).join("");
}

async function untilOutput(client: LiveClient, id: string): Promise<void> {
  await client.until((message) => "output" in message && message.id === id);
}

async function calls(gateway: LiveGateway, call: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of (await gateway.computer("ada")).log.read({ cause: { call } })) types.push(type);
  return types;
}

test("WEB-17: a desk's command reaches no network, whatever it asks for", async () => {
  const gateway = await running();
  const desk = await deskOf(gateway, await gateway.signIn("ada"), "ada");
  const { request, ...command } = run("true");
  for (const egress of ["git+pkg", ["example.org"], []]) {
    const id = newId();
    desk.say({ ...command, id, request: { ...request, egress } });
    expect(await desk.answer(id)).toMatchObject({ problem: { detail: expect.stringContaining("reaches no network") } });
    expect(await calls(gateway, id)).toEqual([]);
  }
});

test("LIVE-5: a command goes on when its socket is gone, and whoever sends it again hears how it ends", async () => {
  const gateway = await running();
  const ada = await gateway.signIn("ada");
  const command = run("echo begun; sleep 1; echo made > made; exit 3");
  const first = await consoleOf(gateway, ada, "ada");
  first.say(command);
  await untilOutput(first, command.id);
  first.socket.terminate();
  await first.closed;
  const second = await consoleOf(gateway, ada, "ada");
  second.say(command);
  second.say(command);
  const answer = { call: command.id, exit: 3, how: "exited", ok: true };
  expect(await second.answer(command.id)).toMatchObject({ answer });
  expect(output(first, command.id)).toBe("begun\n");
  const third = await consoleOf(gateway, ada, "ada");
  third.say(command);
  expect(await third.answer(command.id)).toMatchObject({ answer });
  expect(await calls(gateway, command.id)).toEqual(["tool.call", "files.changed", "tool.result"]);
});

test("WEB-40: what a command has written is heard by its call over another socket while it runs, until it is over", async () => {
  const gateway = await running();
  const ada = await gateway.signIn("ada");
  const [one, two] = [await consoleOf(gateway, ada, "ada"), await deskOf(gateway, ada, "ada")];
  const command = run("echo begun; sleep 60");
  one.say(command);
  await untilOutput(one, command.id);
  const listening = { do: "listen", id: newId(), request: { call: command.id } };
  two.say(listening);
  await untilOutput(two, listening.id);
  one.say({ stop: command.id });
  expect(await two.answer(listening.id)).toMatchObject({ answer: { found: true } });
  expect(output(two, listening.id)).toBe("begun\n");
  const again = { ...listening, id: newId() };
  two.say(again);
  expect(await two.answer(again.id)).toMatchObject({ answer: { found: false } });
});

test("LIVE-4: an id that another command had is refused, and nothing is run", async () => {
  const gateway = await running();
  const desk = await deskOf(gateway, await gateway.signIn("ada"), "ada");
  const first = run("exit 3");
  desk.say(first);
  expect(await desk.answer(first.id)).toMatchObject({ answer: { exit: 3 } });
  const calledBefore = await calls(gateway, first.id);
  const others = [
    { ...run("exit 0"), id: first.id },
    { do: "rm", id: first.id, request: { key: "workspace/x" } },
  ];
  for (const other of others) {
    const again = await deskOf(gateway, await gateway.signIn("ada"), "ada");
    again.say(other);
    expect(await again.answer(first.id)).toMatchObject({
      answer: { ok: false, message: expect.stringContaining("is another action's") },
    });
  }
  expect(await calls(gateway, first.id)).toEqual(calledBefore);
});

test("WEB-35: of one computer so many commands run at once, and no more", async () => {
  const gateway = await running();
  const ada = await gateway.signIn("ada");
  const [one, two] = [await consoleOf(gateway, ada, "ada"), await consoleOf(gateway, ada, "ada")];
  const commands = Array.from({ length: COMMANDS_AT_ONCE }, () => run("echo begun; exec sleep 1000"));
  for (const command of commands) one.say(command);
  for (const { id } of commands) await untilOutput(one, id);
  const more = run("echo more");
  two.say(more);
  expect(await two.answer(more.id)).toMatchObject({ problem: { detail: expect.stringContaining("32 commands run") } });
  expect(await calls(gateway, more.id)).toEqual([]);
  for (const { id } of commands) two.say({ stop: id });
  for (const { id } of commands) await one.answer(id);
  const after = run("echo after");
  two.say(after);
  expect(await two.answer(after.id)).toMatchObject({ answer: { exit: 0 } });
});

test("LIVE-5: any socket of the computer can stop a command", async () => {
  const gateway = await running();
  const ada = await gateway.signIn("ada");
  const [one, two] = [await consoleOf(gateway, ada, "ada"), await consoleOf(gateway, ada, "ada")];
  const command = run("echo begun; exec sleep 1000");
  one.say(command);
  await untilOutput(one, command.id);
  two.say({ ...command, request: { ...command.request, env: { OTHER: "1" } } });
  expect(await two.answer(command.id)).toMatchObject({ problem: { detail: expect.stringContaining("under way") } });
  two.say({ stop: command.id });
  expect(await one.answer(command.id)).toMatchObject({ answer: { exit: null, how: "killed" } });
});

test("LIVE-1, LIVE-5: who follows hears which command was called any other way, and can stop it", async () => {
  const gateway = await running();
  const client = await consoleOf(gateway, await gateway.signIn("ada"), "ada");
  const computer = await gateway.computer("ada");
  const ran = computer.exec({ argv: ["sh", "-c", "exec sleep 1000"] });
  const called = await client.until((message) => "event" in message && message.event.type === "tool.call");
  if (!("event" in called)) throw new Error("it is no event");
  expect(called.command).toBe("exec sleep 1000");
  client.say({ stop: called.event.cause?.call });
  expect(await ran).toMatchObject({ how: "killed", ok: true });
});

test("LIVE-7: a command ends with the session that began it", async () => {
  const gateway = await running();
  const [ada, other] = [await gateway.signIn("ada"), await gateway.signIn("ada")];
  const [one, two] = [await consoleOf(gateway, ada, "ada"), await consoleOf(gateway, other, "ada")];
  const command = run("echo begun; exec sleep 1000");
  one.say(command);
  await untilOutput(one, command.id);
  await gateway.accounts.revoke(ada.session);
  await two.until((message) => "event" in message && message.event.type === "tool.result");
  expect(await calls(gateway, command.id)).toEqual(["tool.call", "tool.result"]);
});

test("LIVE-5: what only reads ends with its socket", async () => {
  const gateway = await liveGateway();
  const client = await consoleOf(gateway, await gateway.signIn("ada"), "ada");
  client.say({ do: "events", id: "follow", request: { follow: true, from: 1 } });
  await client.until((message) => "item" in message);
  expect(gateway.users("ada")).toBe(2);
  client.socket.terminate();
  await expect.poll(() => gateway.users("ada")).toBe(0);
  expect(gateway.reports).toEqual([]);
});
