import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { openStore } from "@choiros/log";
import { expect, test } from "vitest";
import { appendForeign, choir, homeWith, said, tempHome } from "../testing/temp-home.ts";

keepThreads();

const lines = (text: string) => text.trimEnd().split("\n");
const seqs = (json: string) => lines(json).map((line) => JSON.parse(line).seq);

const COMMANDS = [
  ...[
    "start",
    "status",
    "ask",
    "events",
    "files",
    "cat",
    "history",
    "diff",
    "write",
    "mkdir",
    "mv",
    "rm",
    "add",
    "undo",
    "rewind",
    "restore",
  ],
  ...["export", "import", "verify", "rebuild", "doctor", "config explain"],
  ...["user add", "user list", "user remove", "user link"],
];

test.each(COMMANDS)("choir %s --help teaches by example", async (name) => {
  const { exit, out } = await choir(tempHome(), [...name.split(" "), "--help"]);
  expect(exit).toBe(0);
  expect(out).toContain(`Usage: choir ${name}`);
  expect(out).toMatch(/Examples:\n {2}# .+\n {2}.*choir /);
});

test.each([[], ["help"], ["--help"]])("choir %s lists every command", async (...words) => {
  const { exit, out } = await choir(tempHome(), words);
  expect(exit).toBe(0);
  for (const name of COMMANDS) expect(out).toContain(`  ${name} `);
});

test.each([
  ["user", "--help"],
  ["config", "-h"],
  ["help", "user"],
])("choir %s %s lists what can follow", async (...words) => {
  const { exit, out } = await choir(tempHome(), words);
  const [word] = words.filter((one) => one === "user" || one === "config");
  expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining(`Usage: choir ${word} COMMAND`) });
  expect(out).toContain(word === "user" ? "user remove" : "config explain");
});

test("the help shows the words that must follow, and those that may", async () => {
  const usage = async (name: string) => /Usage: (.*)/.exec((await choir(tempHome(), [name, "--help"])).out)?.[1];
  expect(await usage("write")).toBe("choir write PATH [--mode MODE] [--base HASH]");
  expect(await usage("files")).toBe("choir files [PATH] [--at SEQ]");
  expect(await usage("diff")).toBe("choir diff SEQ [SEQ]");
});

test.each([
  [["evnts"], "did you mean 'choir events'?"],
  [["events", "--frm", "1"], "Unknown option '--frm'; did you mean '--from'? see 'choir events --help'"],
  [["events", "--xyzzyx"], "Unknown option '--xyzzyx'; see 'choir events --help'"],
  [["events", "--from", "one"], "--from takes a whole number"],
  [["events", "--from"], "see 'choir events --help'"],
  [["events", "extra"], "see 'choir events --help'"],
  [["events", "--type", "file explode"], "'file explode' can't be a type"],
  [["events", "notes.v2.txt"], "Unexpected argument 'notes.v2.txt'"],
  [["--json"], "say which command"],
  [["events", "--to", "0"], "--to takes the number of an event"],
  [["verify", "--expect", "12"], "--expect takes SEQ:HASH"],
  [["config"], "config explain"],
  [["user"], "'user' needs one more word: user add, user list, user remove, user link"],
  [["user", "add"], "NAME is missing; see 'choir user add --help'"],
  [["user", "add", "bob", "--owner", "--member"], "don't go together"],
  [["user", "remove", "用户"], "can't be a user"],
  [["events", "--user", "../bob"], "is not an id: it must be 1 to 40 of a-z"],
  [["events", "--user", "Ada"], "; 'ada' is one"],
  [["write"], "PATH is missing; see 'choir write --help'"],
  [["cat", "a", "b"], "Unexpected argument 'b'"],
  [["write", "a", "--mode", "999"], "--mode takes an octal number"],
  [["write", "a", "--mode", "4755"], "--mode takes no setuid or setgid"],
  [["write", "a", "--base", "9f2c"], "--base takes the hash of a file"],
  [["files", "--at", "now"], "--at takes the number of an event"],
  [["files", "--at=-1"], "--at takes the number of an event"],
  [["diff", "one"], "SEQ takes the number of an event"],
  [["diff", "1", "2", "3"], "Unexpected argument '3'"],
  [["undo", "last"], "TARGET is the number of an event, or call:ID"],
  [["undo", "2", "--keep-mine", "--take-theirs"], "can't both be for everything"],
  [["undo", "2", "--keep-mine=a", "--take-theirs=a"], "a can't be both kept and taken back"],
  [["undo", "2", "--keep-mine=../a"], "'../a' can't be a path"],
  [["undo", "2", "--keep-mine", "a"], "Unexpected argument 'a'"],
  [["rewind", "yesterday"], "SEQ takes the number of an event"],
  [["restore", "a"], "say which version with --at SEQ"],
  [["export"], "FILE is missing"],
  [["export", ""], "FILE can't be empty"],
  [["import", ""], "FILE can't be empty"],
  [["add", ""], "DIR can't be empty"],
  [["cat", ""], "a path can't be empty"],
])("wrong usage ends with 2 and says what is right: %j", async (words, sentence) => {
  const { exit, out, aside } = await choir(await homeWith(), words);
  expect({ exit, out }).toEqual({ exit: 2, out: "" });
  expect(aside).toContain(sentence);
});

test("a home without a computer says how to make one, and makes nothing", async () => {
  const home = tempHome();
  for (const command of ["events", "verify"]) {
    const { exit, aside } = await choir(home, [command]);
    expect(exit).toBe(1);
    expect(aside).toContain("'choir start' makes the first one, and so does 'choir write PATH'");
  }
  expect((await choir(home, ["status"])).out).toContain("no computer yet");
  expect((await choir(home, ["doctor"])).exit).toBe(0);
  expect(readdirSync(home.path)).toEqual([]);
});

test("choir events shows what happened, in order", async () => {
  const { exit, out } = await choir(await homeWith(said("one"), said("two")), ["events"]);
  expect(exit).toBe(0);
  expect(lines(out)).toEqual([
    expect.stringMatching(/^ {5}1 .* system {2}log\.created/),
    expect.stringMatching(/^ {5}2 .* user {4}message +one$/),
    expect.stringMatching(/^ {5}3 .* user {4}message +two$/),
  ]);
});

test("choir events --json gives one event a line, from and to the numbers asked for", async () => {
  const home = await homeWith(said("a"), said("b"), said("c"));
  const json = async (...words: string[]) => seqs((await choir(home, ["events", "--json", ...words])).out);
  expect(await json()).toEqual([1, 2, 3, 4]);
  expect(await json("--from", "2", "--to", "3")).toEqual([2, 3]);
  expect(await json("--from", "-2")).toEqual([3, 4]);
  expect(await json("--from=-2")).toEqual([3, 4]);
  expect(await json("--from=-99")).toEqual([1, 2, 3, 4]);
  expect(await json("--type", "LOG_CREATED")).toEqual([1]);
  expect(await json("--type", "log.*", "--type", "message", "--from", "2")).toEqual([2, 3, 4]);
});

test("the options of every command may stand before it, too", async () => {
  const home = await homeWith();
  const { exit, out } = await choir(tempHome(), ["--json", "--home", home.path, "events"]);
  expect({ exit, out }).toEqual({ exit: 1, out: "" }); // the later --home wins, as everywhere
  expect((await choir(home, ["--json", "--user=ada", "events"])).exit).toBe(0);
});

test("choir events past the end shows nothing, and that is no failure", async () => {
  expect(await choir(await homeWith(), ["events", "--from", "99"])).toEqual({ exit: 0, out: "", aside: "" });
});

test("choir events --follow shows what another process appends, and ends on Ctrl-C", async () => {
  const home = await homeWith(said("before"));
  const writer = await openStore({ dir: home.storeOf("ada"), userId: "ada", mode: "write" });
  if (!writer.ok) throw new Error(writer.message);
  const { exit, out } = await choir(home, ["events", "--follow", "--from", "2"], {
    onLine(line, stop) {
      if (line.includes("before")) void writer.store.log.append(said("after"));
      if (line.includes("after")) stop();
    },
  });
  await writer.store.close();
  expect({ exit, lines: lines(out).length }).toEqual({ exit: 0, lines: 2 });
});

test("choir verify prints what to compare with later, and finds a lost end by it", async () => {
  const home = await homeWith(said("kept"));
  const { exit, out } = await choir(home, ["verify"]);
  expect(exit).toBe(0);
  const mark = /2:[0-9a-f]{64}/.exec(out)?.[0] ?? "";
  expect((await choir(home, ["verify", "--expect", mark])).exit).toBe(0);

  const db = new DatabaseSync(join(home.storeOf("ada"), "log.sqlite"));
  db.exec("DELETE FROM event WHERE seq = 2");
  db.close();
  expect((await choir(home, ["verify"])).exit).toBe(0); // by itself it can't be told from a shorter log
  const short = await choir(home, ["verify", "--expect", mark]);
  expect(short.exit).toBe(1);
  expect(short.out).toContain("the log ends at 1; event 2 is known to have been there");
});

async function damagedHome() {
  const home = await homeWith(said("one"), said("two"), said("three"));
  const db = new DatabaseSync(join(home.storeOf("ada"), "log.sqlite"));
  db.exec("UPDATE event SET body = replace(body, 'two', 'tow') WHERE seq = 3");
  db.close();
  return home;
}

test("choir doctor names the damage and what can be done, and touches nothing", async () => {
  const home = await damagedHome();
  const { exit, out } = await choir(home, ["doctor"]);
  expect(exit).toBe(1);
  expect(out).toContain("event 3 is not what its hash covers");
  expect(out).toContain("Events 1 to 2 are good");
  expect(out).toContain("choir doctor --salvage");
  expect((await choir(home, ["verify"])).exit).toBe(1);
});

test("choir doctor --salvage goes on from the last good event and keeps the damaged log", async () => {
  const home = await damagedHome();
  const { exit, out } = await choir(home, ["doctor", "--salvage", "--json"]);
  expect(exit).toBe(0);
  const { seq, kept } = JSON.parse(out);
  expect(seq).toBe(2);
  expect(readdirSync(kept)).toContain("log.sqlite");
  expect(seqs((await choir(home, ["events", "--json"])).out)).toEqual([1, 2]);
  expect((await choir(home, ["doctor"])).exit).toBe(0);
});

test("choir doctor --salvage on a whole log changes nothing and says so", async () => {
  const { exit, aside } = await choir(await homeWith(), ["doctor", "--salvage"]);
  expect(exit).toBe(1);
  expect(aside).toContain("is whole: there is nothing to salvage");
});

test("choir doctor names every line of a wrong configuration", async () => {
  const home = await homeWith();
  writeFileSync(join(home.path, "config.toml"), '[server]\nport = "http"\n[serer]\n');
  const { exit, out } = await choir(home, ["doctor"]);
  expect(exit).toBe(1);
  expect(out).toContain("config.toml:2: server.port");
  expect(out).toContain("config.toml:3: [serer]");
});

test("choir status shows each computer, also one that can't be opened", async () => {
  const home = await homeWith(said("one"));
  mkdirSync(home.storeOf("bob"), { recursive: true });
  const { exit, out } = await choir(home, ["status"]);
  expect(exit).toBe(0);
  expect(out).toContain("ada: 2 events");
  expect(out).toMatch(/bob: .*holds no log/);
});

test("an event of a newer version is shown, and can be asked for by its type", async () => {
  const home = await homeWith();
  appendForeign(home, { type: "sensor.read", source: "device", v: 2 });
  const { exit, out } = await choir(home, ["events", "--type", "sensor.read"]);
  expect(exit).toBe(0);
  expect(out).toContain("device  sensor.read         (of a newer version)");
});

test("a forged event can't command the terminal by its type or its source", async () => {
  const home = await homeWith();
  appendForeign(home, { type: "x\u001b]0;owned\u0007", source: "\u009b1m" });
  for (const words of [["events"], ["events", "--json"]]) {
    expect((await choir(home, words)).out).toMatch(/^(?:[^\p{Cc}]|\n)+$/u);
  }
});

test.each([
  ["damaged", (file: string) => writeFileSync(file, "x".repeat(8192))],
  ["gone", (file: string) => rmSync(file)],
])("choir doctor and verify still tell how the log is where the list of contents is %s", async (_, harm) => {
  const home = await homeWith(said("one"));
  harm(join(home.storeOf("ada"), "contents.sqlite"));
  const verified = await choir(home, ["verify"]);
  expect(verified.exit).toBe(1);
  expect(verified.out).toMatch(/Log: 2 events, whole.*\nContents: .*contents\.sqlite/);
  const examined = await choir(home, ["doctor", "--json"]);
  expect(examined.exit).toBe(1);
  expect(JSON.parse(examined.out).findings).toContainEqual(
    expect.objectContaining({ what: "Contents of ada", ok: false, found: expect.stringContaining("contents.sqlite") }),
  );
});

test("choir doctor looks at every computer, and one that can't be read hides no other", async () => {
  const home = await homeWith(said("one"));
  mkdirSync(home.storeOf("bob"), { recursive: true });
  writeFileSync(join(home.storeOf("bob"), "log.sqlite"), "x".repeat(8192));
  const { exit, out } = await choir(home, ["doctor"]);
  expect(exit).toBe(1);
  expect(out).toContain("ok   Log of ada: 2 events, whole");
  expect(out).toMatch(/BAD {2}Log of bob: .*\n.*the events in it may be whole/);
});

test("no command sends the terminal what it would obey, wherever that came from", async () => {
  const home = await homeWith();
  writeFileSync(join(home.path, "config.toml"), '[server]\nport = "\\u001b]0;owned\\u0007\u009b1m"\n');
  const said = [
    await choir(home, ["doctor"]),
    await choir(home, ["config", "explain"]),
    await choir(home, ["events", "--type", "\u001b]0;owned\u0007"]),
    await choir(home, ["\u001b[2J"]),
  ];
  for (const { out, aside } of said) expect(out + aside).toMatch(/^(?:[^\p{Cc}]|\n)+$/u);
});

test("an option whose value is missing says so, and how to give one that begins with a dash", async () => {
  const { exit, aside } = await choir(tempHome(), ["files", "--at", "--json"]);
  const said =
    "choir: --at lacks its value; one that begins with a dash is written --at=VALUE; see 'choir files --help'\n";
  expect({ exit, aside }).toEqual({ exit: 2, aside: said });
});
