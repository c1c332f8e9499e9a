import { expect, test } from "vitest";
import { describeEvent } from "./event-words.ts";

const file = (digit: string) => ({ hash: digit.repeat(64), kind: "file", mode: 0o644, size: 1 });

test("CONSOLE-47: what a command moved is told once, with where it went", () => {
  const change = (name: string, before: unknown, after: unknown) => ({ after, before, path: `workspace/src/${name}` });
  const changes = [
    change("a.txt", file("1"), null),
    change("b.txt", null, file("1")),
    change("c.txt", null, file("1")),
    change("d.txt", file("2"), null),
  ];
  const said = (some: unknown[]) => describeEvent(momentOf({ changes: some })).text;
  expect(said(changes.slice(0, 2))).toBe("src/a.txt → src/b.txt");
  expect(said(changes)).toBe("src/a.txt → src/b.txt, src/c.txt and 1 more");
});

test("a file that wasn't there before is told as new", () => {
  const said = (before: unknown) =>
    describeEvent(momentOf({ changes: [{ after: file("1"), before, path: "workspace/a.txt" }] }));
  expect(said(null)).toEqual({ icon: "write", text: "a.txt", detail: "new" });
  expect(said(file("2"))).toEqual({ icon: "write", text: "a.txt", detail: "changed" });
});

test("folders that were made on the way to something new aren't named, those with several things in them are", () => {
  const dir = { kind: "dir", mode: 0o755 };
  const made = (path: string, after: unknown = file(String(path.length % 10))) => ({ after, before: null, path });
  const said = (...changes: unknown[]) => {
    const { detail, text } = describeEvent(momentOf({ changes }));
    return `${text}: ${detail}`;
  };
  expect(said(made("workspace/a", dir), made("workspace/a/b", dir), made("workspace/a/b/c.txt"))).toBe(
    "a/b/c.txt: new",
  );
  expect(said(made("workspace/a", dir), made("workspace/a/b.txt"), made("workspace/a/cc.txt"))).toBe(
    "a, a/b.txt and 1 more: new",
  );
  expect(said(made("workspace/a", dir), made("workspace/a/b", dir))).toBe("a/b: new folder");
});

test("DESK-22: what the desktop is made of is told by what it is", () => {
  const dir = { kind: "dir", mode: 0o755 };
  const theme = { after: file("1"), before: null, path: "artifacts/system/theme.json" };
  const folder = { after: dir, before: null, path: "artifacts/system" };
  const said = (payload: object, type?: string) => {
    const { detail, text } = describeEvent(momentOf(payload, type));
    return detail === undefined ? text : `${text}: ${detail}`;
  };
  expect(said({ changes: [folder, theme] })).toBe("Theme: changed");
  const others = ["apps.json", "layout.json", "wallpaper"].map((name) => ({
    ...theme,
    after: file(String(name.length % 10)),
    path: `artifacts/system/${name}`,
  }));
  expect(others.map((change) => said({ changes: [change] }))).toEqual([
    "Apps: changed",
    "Layout: changed",
    "Wallpaper: changed",
  ]);
  const back = [theme, folder].map(({ after, before, path }) => ({ after: before, before: after, path }));
  expect(said({ changes: back, target: { seq: 1 } }, "undo")).toBe("Undid event 1: Theme: 2 changes");
});

test("that a model is asked and what came of it are two lines that say different things", () => {
  const said = (type: string, status = "ok") => describeEvent(momentOf({ model: "opus", status }, type)).text;
  expect(said("model.asked")).toBe("Asked opus");
  expect(said("model.call")).toBe("opus answered");
  expect(said("model.call", "interrupted")).toBe("opus was interrupted");
});

test("an approval that nobody answered is told as closed, and one that the user refused as denied", () => {
  const said = (source: "system" | "user", decision = "denied") =>
    describeEvent({ event: { ...momentOf({ approval: "p", decision }, "approval.given").event, source } }).text;
  expect(said("user")).toBe("Denied");
  expect(said("user", "once")).toBe("Allowed once");
  expect(said("system")).toBe("Closed without an answer");
});

test("of a long list of what was deleted, that is told, too", () => {
  expect(describeEvent(momentOf({ count: 1000, list: {} }, "file.delete"))).toEqual({
    icon: "delete",
    text: "1,000 paths",
    detail: "deleted",
  });
});

test("a folder is told as one, and what a command or another program did as theirs", () => {
  const dir = { kind: "dir", mode: 0o755 };
  const said = (type: string, before: unknown, after: unknown, more = {}) => {
    const { detail, text } = describeEvent(
      momentOf({ changes: [{ after, before, path: "workspace/a" }], ...more }, type),
    );
    return `${text}: ${detail}`;
  };
  expect(said("dir.create", null, dir)).toBe("a: new folder");
  expect(said("dir.delete", dir, null)).toBe("a: folder deleted");
  expect(said("file.delete", file("1"), null)).toBe("a: deleted");
  expect(said("files.changed", null, file("1"), { by: "command" })).toBe("a: new, by a command");
  expect(said("files.changed", file("1"), file("2"), { by: "outside" })).toBe("a: changed, from outside");
});

test("an undo names what it took back, by its own changes, and how much that was", () => {
  const dir = { kind: "dir", mode: 0o755 };
  const at = (path: string, before: unknown, after: unknown) => ({ after, before, path: `workspace/${path}` });
  const said = (target: unknown, changes: unknown[]) => {
    const { detail, text } = describeEvent(momentOf({ changes, target }, "undo"));
    return detail === undefined ? text : `${text}, ${detail}`;
  };
  const prices = at("notes/prices.csv", file("1"), file("2"));
  expect(said({ seq: 12 }, [prices])).toBe("Undid event 12: notes/prices.csv");
  expect(said({ call: "c" }, [at("letters", dir, null)])).toBe("Undid letters (folder removed)");
  expect(said({ call: "c" }, [at("a", null, file("1")), at("b", file("1"), null)])).toBe(
    "Undid a → b (moved back), 2 changes",
  );
  const folder = [
    at("old", null, dir),
    at("old/a", null, file("1")),
    at("new", dir, null),
    at("new/a", file("1"), null),
  ];
  expect(said({ seq: 9 }, folder)).toBe("Undid event 9: old → new (moved back), 4 changes");
  expect(said({ seq: 9 }, folder.slice(0, 3))).toBe("Undid event 9: old, old/a and 1 more, 3 changes");
  expect(said({ ask: "a" }, [at("a", file("1"), null), at("b", file("2"), null)])).toBe(
    "Undid an ask: a, b (removed), 2 changes",
  );
  expect(said({ call: "c" }, [at("a", null, file("1"))])).toBe("Undid a (brought back)");
  expect(said({ task: "t" }, [{ after: 1, before: 2, key: "size" }])).toBe("Undid a task: settings");
  expect(said({ since: 40 }, [prices])).toBe("Went back to event 40, 1 change");
  const long = { count: 380, list: {}, target: { call: "c" } };
  expect(describeEvent(momentOf(long, "undo"))).toMatchObject({ text: "Undid one action", detail: "380 changes" });
});

test("a command that ended without a fault is done", () => {
  const said = (payload: object, type = "tool.result") => {
    const { detail, text } = describeEvent(momentOf(payload, type));
    return detail === undefined ? text : `${text} ${detail}`;
  };
  expect(said({ exit: 0, status: "ok" })).toBe("Done");
  expect(said({ exit: 3, status: "ok" })).toBe("Ended with exit 3");
  expect(said({ status: "ok" })).toBe("Done");
  expect(said({ status: "denied" })).toBe("Wasn't allowed");
  expect(said({ status: "failed" }, "task.finished")).toBe("Couldn't do a task");
});

test("a check is told with whether it passed, a connection with where it went", () => {
  const check = (exit: number) => describeEvent(momentOf({ command: "npm test", exit }, "receipt.check"));
  expect(check(0)).toEqual({ icon: "command", text: "Checked: npm test", detail: "passed" });
  expect(check(2)).toMatchObject({ detail: "failed, exit 2" });
  const denied = { command: "npm test", exit: 125, reason: "it changed x" };
  expect(describeEvent(momentOf(denied, "receipt.check"))).toMatchObject({ detail: "failed: it changed x" });
  const end = describeEvent(momentOf({ status: "denied", exit: 0, reason: "it changed x" }, "tool.result"));
  expect(end).toEqual({ icon: "end", text: "Wasn't allowed", detail: "it changed x" });
  const net = (allowed: boolean) =>
    describeEvent(momentOf({ allowed, host: "example.org", port: 443 }, "receipt.net")).text;
  expect([net(true), net(false)]).toEqual(["Reached example.org:443", "Was kept from example.org:443"]);
});

test("what an agent asks is told in one line: a question without its marks, and each line of an approval", () => {
  expect(describeEvent(momentOf({ question: "**Which**\none?" }, "ask.wondered")).text).toBe("Asked you: Which one?");
  const asked = momentOf({ covers: "edit /artifacts/system\nnetwork a.example\r\nnetwork b\u202e" }, "approval.asked");
  expect(describeEvent(asked).text).toBe("Asked: edit /artifacts/system, network a.example, network b\\u{202e}");
});

test("a window is told by its title, which can't hide what it says", () => {
  const change = (title: string) => ({ after: { title }, before: null, key: "window.a" });
  const said = (...titles: string[]) => describeEvent(momentOf({ changes: titles.map(change) }, "window.open")).text;
  expect(said("Notes\u202e")).toBe("Opened the window “Notes\\u{202e}”");
  expect(said("a", "b")).toBe("Arranged windows");
});

function momentOf(payload: unknown, type = "file.write"): Parameters<typeof describeEvent>[0] {
  return { event: { payload, seq: 2, source: "agent", type } } as Parameters<typeof describeEvent>[0]; // only what is described
}
