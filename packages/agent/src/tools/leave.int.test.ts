import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();
const SECRET = "SESAME=1234567890";

test("LEASE-5: 'once' holds for one call, 'for this task' for all that follow, and nothing of it is in the policy", async () => {
  const desk = await stage({ paths: [] });
  const write = (path: string) => desk.use("write_file", { path, content: "x" });
  for (const decision of ["once", "task"] as const) {
    const asked = desk.answerNext(decision);
    await desk.use("read_file", { path: "a.md" });
    expect(await write("a.md")).toMatchObject({ status: "ok" });
    expect(await asked).toBe("edit a.md");
  }
  const from = await desk.head();
  expect(await write("a.md")).toMatchObject({ status: "ok" });
  expect(await desk.types(from + 1)).not.toContain("approval.asked");
  expect(await desk.policy.read()).toMatchObject({ policy: { always: [] } });
});

test("LEASE-5: 'always' holds for the next task, too", async () => {
  const desk = await stage({ paths: [] });
  const asked = desk.answerNext("always");
  expect(await desk.use("write_file", { path: "/choiros/a.ts", content: "x" })).toMatchObject({ status: "ok" });
  expect(await asked).toBe("edit /choiros/a.ts");
  const next = { ...desk.work, grants: new Set<string>() };
  expect(await desk.useAs(next, "read_file", { path: "/choiros/a.ts" })).toMatchObject({ status: "ok" });
  expect(await desk.useAs(next, "write_file", { path: "/choiros/a.ts", content: "y" })).toMatchObject({ status: "ok" });
});

test("LEASE-4: a policy that is wrong lets nothing run, and says where it is wrong", async () => {
  const desk = await stage();
  writeFileSync(desk.policy.file, 'allow = ["fly"]\n');
  const done = await desk.use("bash", { command: "touch a" });
  expect(done).toMatchObject({
    status: "denied",
    text: expect.stringContaining("policy.toml:1: allow: 'fly' must begin"),
  });
  expect(await desk.text("a")).toBeUndefined();
  writeFileSync(desk.policy.file, 'never = ["tool bash"]\n');
  expect(await desk.use("bash", { command: "touch a" })).toMatchObject({
    status: "denied",
    text: "the policy never allows: tool bash",
  });
});

test("LEASE-7: a question that is given up is taken back, and nothing has happened", async () => {
  const desk = await stage({ paths: [] });
  const stop = new AbortController();
  const writing = desk.use("write_file", { path: "a.md", content: "x" }, { signal: stop.signal });
  for await (const { type } of desk.computer.log.subscribe()) if (type === "approval.asked") break;
  stop.abort();
  expect(await writing).toMatchObject({ status: "stopped" });
  expect(await desk.text("a.md")).toBeUndefined();
  const given = (await desk.events()).find(({ type }) => type === "approval.given");
  expect(given).toMatchObject({ source: "system", payload: { decision: "denied" } });
  expect((await desk.computer.unfinished()).events).toEqual([]);
});

test("LEASE-7: an answer that isn't the user's own gives no leave", async () => {
  const desk = await stage({ paths: [] });
  const writing = desk.use("write_file", { path: "a.md", content: "x" });
  for await (const { type, payload } of desk.computer.log.subscribe()) {
    if (type !== "approval.asked") continue;
    await desk.computer.answer(String(payload.approval), "always", { source: "agent" });
    break;
  }
  expect(await writing).toMatchObject({ status: "denied" });
  expect(await desk.text("a.md")).toBeUndefined();
});

test("LEASE-7: whoever denied ten things of a task isn't asked for more of it, and is of another one", async () => {
  const desk = await stage({ paths: [] });
  const tries = (name: string) => desk.use("write_file", { path: name, content: "x" });
  for (let i = 0; i < 10; i++) {
    const asked = desk.answerNext("denied");
    expect(await tries(`${i}.md`)).toMatchObject({ status: "denied" });
    expect(await asked).toBe(`edit ${i}.md`);
  }
  const { status, text } = await tries("more.md");
  expect([status, text]).toEqual(["denied", expect.stringContaining("isn't asked any more")]);
  expect((await desk.types()).filter((type) => type === "approval.asked")).toHaveLength(10);
  const other = { ...desk.work, cause: { ...desk.work.cause, task: newId() } };
  const asked = desk.answerNext("once");
  expect(await desk.useAs(other, "write_file", { path: "other.md", content: "x" })).toMatchObject({ status: "ok" });
  expect(await asked).toBe("edit other.md");
});

test("LEASE-8: a lease's hosts are asked for before its first command, and others when a command wants them", async () => {
  const desk = await stage({ egress: ["registry.npmjs.org"] });
  const asked = desk.answerNext("task");
  await desk.use("bash", { command: "true" });
  expect(await asked).toBe("network registry.npmjs.org");
  const more = desk.answerNext("denied");
  const denied = await desk.use("bash", { command: "touch ran", hosts: ["example.org"], edits: ["/choiros"] });
  expect(await more).toBe("edit /choiros\nnetwork example.org");
  expect(denied.status).toBe("denied");
  expect(await desk.text("ran")).toBeUndefined();
});

test("LEASE-8: without a network a command reaches nothing", async () => {
  const desk = await stage();
  const probe =
    "exec 3<>/dev/tcp/127.0.0.1/80 || exec 3<>/dev/tcp/1.1.1.1/443 || curl -sm 2 https://example.org; cat /proc/net/dev";
  const { text } = await desk.use("bash", { command: `(${probe}) 2>&1; ls /sys/class/net 2>/dev/null; true` });
  expect(text).not.toContain("eth0");
  expect(text).toMatch(/refused|unreachable|Network/i);
});

test("LEASE-9: what looks like a secret is shown by no tool without a grant", async () => {
  const desk = await stage();
  await desk.write(".env", `${SECRET}\n`);
  await desk.write("plain.txt", "plain\n");
  const uses: [string, object][] = [
    ["read_file", { path: ".env" }],
    ["edit_file", { path: ".env", edits: [{ old: "SESAME", new: "X" }] }],
    ["edit_file", { path: ".env", edits: [{ old: "nothing", new: "X" }], dry_run: true }],
  ];
  for (const [tool, input] of uses) {
    const asked = desk.answerNext("denied");
    const done = await desk.use(tool, input);
    expect(await asked).toContain("secret .env");
    expect(done.status).toBe("denied");
    expect(done.text).not.toContain(SECRET);
  }
  for (const [tool, input] of [
    ["search_files", { text: "SESAME" }],
    ["search_files", { text: "SESAME", path: ".env" }],
    ["list_files", {}],
    ["write_file", { path: ".env", content: "X=1" }],
    ["bash", { command: "cat .env; grep -r SESAME . ; cp .env copy; cat copy; git diff --no-index /dev/null .env" }],
  ] as const) {
    expect((await desk.use(tool, input)).text).not.toContain("1234567890");
  }
  expect(await desk.text(".env")).toBe(`${SECRET}\n`);
});

test("LEASE-9: what comes while a command runs ends it, and what it may have seen is told by no tool", async () => {
  const desk = await stage();
  const watch = { command: "echo ready; while :; do cat .env */.env 2>/dev/null; sleep 0.01; done", background: true };
  await desk.use("bash", watch, { call: "j1" });
  await expect.poll(async () => (await desk.use("job_output", { job: "j1" })).text).toContain("ready");
  await desk.write(".env", `${SECRET}\n`); // by the computer: it ends first
  await desk.work.jobs.get("j1")?.ended;
  const { text } = await desk.use("job_output", { job: "j1" });
  expect(text).toMatch(/^ended: denied \(\.env, which is hidden from it, was to come.*\); bytes .*\nready\n$/s);

  await desk.use("bash", watch, { call: "j2" });
  await expect.poll(async () => (await desk.use("job_output", { job: "j2" })).text).toContain("ready");
  mkdirSync(join(desk.computer.root, "workspace/sub"));
  writeFileSync(join(desk.computer.root, "workspace/sub/.env"), `${SECRET}\n`); // by somebody else
  const withheld = /^ended: denied \(sub\/\.env, .* what it said is not told.*\)$/;
  expect((await desk.use("job_output", { job: "j2" })).text).toMatch(withheld);
  expect((await desk.use("job_output", { job: "j2", offset: 0 })).text).toMatch(withheld);
  const seen = await Promise.all(["j1", "j2"].map((call) => desk.recall(call)));
  expect(seen.map((one) => one?.status)).toEqual(["denied", "denied"]);
  expect(seen.map((one) => one?.text).join("\n")).not.toContain(SECRET);

  await desk.write("other/a.txt", "a\n");
  const line = "echo on; until ls other | grep -q go; do :; done; cat other/.env; cp other/.env copy.txt";
  const running = desk.use("bash", { command: line });
  await expect.poll(() => desk.signals.some(({ payload }) => payload.text === "on\n")).toBe(true);
  writeFileSync(join(desk.computer.root, "workspace/other/.env"), `${SECRET}\n`);
  writeFileSync(join(desk.computer.root, "workspace/other/go"), "");
  const done = await running;
  expect(done).toMatchObject({ status: "denied", text: expect.stringContaining("what it said is not told") });
  expect(done.text).not.toContain("1234567890");
  expect(await desk.text("copy.txt")).toBeUndefined();
});

test("LEASE-9: with a grant it is shown, also to a command; and what stands there now is not, once that is used up", async () => {
  const desk = await stage();
  await desk.write(".env", `${SECRET}\n`);
  const once = desk.answerNext("once");
  expect((await desk.use("read_file", { path: ".env" })).text).toContain(SECRET);
  expect(await once).toBe("secret .env");
  await desk.write(".env", "OTHER=42\n");
  const stale = await desk.use("write_file", { path: ".env", content: "" });
  expect(stale.text).toContain("has changed since you read it");
  expect(stale.text).not.toContain("OTHER");
  const asked = desk.answerNext("task");
  expect((await desk.use("bash", { command: "cat .env", secrets: [".env"] })).text).toContain("OTHER=42");
  expect(await asked).toBe("secret .env");
  expect((await desk.use("search_files", { text: "OTHER" })).text).toContain(".env:1: OTHER=42");
});

test("LEASE-2: what the policy says may not be read is seen by no tool, nor by a command", async () => {
  const desk = await stage();
  await desk.write("private/diary.md", "dear diary\n");
  await desk.write("open.md", "dear all\n");
  writeFileSync(desk.policy.file, 'never = ["read private"]\n');
  for (const [tool, input] of [
    ["read_file", { path: "private/diary.md" }],
    ["list_files", { deep: true }],
    ["list_files", { path: "private" }],
    ["search_files", { text: "dear" }],
    ["bash", { command: "cat private/diary.md; ls -A private; grep -r dear ." }],
  ] as const) {
    const { text } = await desk.use(tool, input);
    expect(text).not.toContain("dear diary");
    expect(text).not.toContain("private/diary.md  ");
  }
  expect((await desk.use("search_files", { text: "dear" })).text).toContain("open.md:1: dear all");
});

test("LEASE-1: whatever a model writes into what it wants, the question can be asked", async () => {
  const desk = await stage({ paths: [] });
  const asked = desk.answerNext("denied");
  const content = "\u{1f600}".repeat(1000);
  expect(await desk.use("write_file", { path: "a\nb", content: `x${content}\ud800` })).toMatchObject({
    status: "denied",
  });
  expect(await asked).toBe('edit "a\\nb"');
  const many = Array.from({ length: 20 }, (_, i) => `${i}${"n/".repeat(1800)}x`);
  expect((await desk.use("bash", { command: "true", edits: many })).text).toBe(
    "that is too much to be asked for at once: take less",
  );
});
