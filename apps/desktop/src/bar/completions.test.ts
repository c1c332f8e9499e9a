import { Folder, Key } from "lucide-react";
import { expect, test } from "vitest";
import { filesNamed, offersFor, soughtIn } from "./completions.ts";

const named = (key: string, kind = "file") => ({ key, entry: { kind } });

const KNOWN = {
  apps: [
    { id: "files", title: "Files", icon: Folder },
    { id: "keys", title: "Files for keys", icon: Key, hidden: true as const },
  ],
  files: [] as ReturnType<typeof named>[],
  asked: ["make a site", "open the window"],
};

test("DESK-40: an empty bar offers every command, and nothing else", () => {
  const offers = offersFor("", KNOWN);
  expect(offers.length).toBeGreaterThan(10);
  expect(new Set(offers.map(({ kind }) => kind))).toEqual(new Set(["command"]));
});

test("DESK-40: what is typed finds commands, apps, files and what was asked before; apps that others open aren't named", () => {
  const offers = offersFor("fi", { ...KNOWN, files: [named("workspace/final.md")], asked: ["find me a house"] });
  expect(offers.filter(({ kind }) => kind === "command").map(({ fill }) => fill)).toContain("find ");
  expect(offers.filter(({ kind }) => kind === "app").map(({ fill, icon }) => [fill, icon])).toEqual([
    ["open files", Folder],
  ]);
  expect(offers.find(({ kind }) => kind === "file")).toMatchObject({
    shows: "final.md",
    help: "workspace",
    fill: "open workspace/final.md",
  });
  expect(offers.find(({ kind }) => kind === "asked")?.fill).toBe("find me a house");
});

test("DESK-41: an @ that is being written is completed to a file's name, and what stands before stays", () => {
  const offers = offersFor("compare @no", { ...KNOWN, files: [named("workspace/my notes.md")] });
  expect(offers.map(({ fill, whole }) => [fill, whole])).toEqual([['compare @"workspace/my notes.md" ', false]]);
  const folders = offersFor("tidy @no", {
    ...KNOWN,
    files: [named("workspace/notes", "dir"), named("workspace/no.md")],
  });
  expect(folders.map(({ icon }) => icon)).toEqual([Folder, undefined]);
});

test("DESK-41: what is looked for is what follows @, or the word of a command that is about files", () => {
  expect(soughtIn("compare @no")).toBe("no");
  expect(soughtIn("open let ter")).toBe("let ter");
  expect(soughtIn("hello")).toBe("hello");
  expect(soughtIn("mail to a@b")).toBe("mail to a@b");
});

test("DESK-41: files that are named with @ are found in a sentence, with spaces where they are in quotes", () => {
  expect(filesNamed('put @a/b.md and @"c d.md" together, not a@b')).toEqual(["a/b.md", "c d.md"]);
});
