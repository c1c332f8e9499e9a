import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { PHRASES } from "@choiros/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Home } from "../home.ts";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

/** A home where `ada` is at work: on the folder alone, or through a running server. */
const WAYS: [way: string, open: () => Promise<Home>][] = [
  ["on the folder", async () => tempHome()],
  [
    "through a server",
    async () => {
      const home = tempHome();
      await serve(home);
      return home;
    },
  ],
];

const run = (home: Home, ...words: string[]) => choir(home, [...words, "--user", "ada"]);
const ask = (home: Home, text: string) => run(home, "ask", text);
const write = (home: Home, path: string, input: string) => choir(home, ["write", path, "--user", "ada"], { input });
const text = async (home: Home, path: string) => (await run(home, "cat", path)).out;
const paths = async (home: Home) =>
  (await run(home, "files", "--json")).out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).path);

describe.each(WAYS)("choir ask, %s", (_, open) => {
  test("undo and redo go to and fro, past what is taken back already", async () => {
    const home = await open();
    for (const one of ["1", "2", "3"]) await write(home, "a", one);
    expect((await ask(home, "undo")).out).toMatch(/^Took back call:\S+ \(1 path\): event 5,/);
    expect(await text(home, "a")).toBe("2");
    await ask(home, "undo that");
    expect(await text(home, "a")).toBe("1");
    await ask(home, "redo");
    expect(await text(home, "a")).toBe("2");
    await ask(home, "redo");
    expect(await text(home, "a")).toBe("3");
    const none = await ask(home, "redo");
    expect([none.exit, none.aside]).toEqual([1, expect.stringContaining("there is nothing to redo")]);
    expect((await ask(home, "undo 2")).exit).toBe(3); // it was changed since
  });

  test("what shows or settles a taking back is refused where nothing is taken back, and nothing is done", async () => {
    const home = await open();
    await write(home, "a", "1");
    for (const said of ["run rm a", "new doc b", "theme light", "tidy my files", "export"]) {
      const refused = await run(home, "ask", "--preview", said);
      expect([refused.exit, refused.aside]).toEqual([
        2,
        expect.stringContaining("--preview is for what takes something back"),
      ]);
    }
    expect((await run(home, "ask", "--keep-mine", "run rm a")).exit).toBe(2);
    expect((await run(home, "ask", "--take-theirs=a", "tidy my files")).exit).toBe(2);
    expect(await paths(home)).toEqual(["a"]);
  });

  test("it goes back to a moment in words, and shows before what that would do", async () => {
    const home = await open();
    await write(home, "a", "1");
    await write(home, "a", "2");
    const shown = await run(home, "ask", "--preview", "go back to event 2");
    expect([shown.exit, shown.out]).toEqual([0, expect.stringContaining("a")]);
    expect(await text(home, "a")).toBe("2");
    expect((await ask(home, "go back to event 2")).out).toContain("Went back to event 2");
    expect(await text(home, "a")).toBe("1");
    await ask(home, "undo"); // the way back, and nothing from before it
    expect(await text(home, "a")).toBe("2");
    await ask(home, "redo");
    expect(await text(home, "a")).toBe("1");
    const old = await ask(home, "go back to 2 years ago");
    expect([old.exit, old.aside]).toEqual([1, expect.stringContaining("isn't that old")]);
  });

  test("it finds, makes folders, lists, and helps", async () => {
    const home = await open();
    await write(home, "letters/To Ana.md", "1");
    expect((await ask(home, "find ANA letters")).out).toBe("letters/To Ana.md\n");
    expect((await ask(home, "find nobody")).exit).toBe(1);
    expect((await ask(home, "new folder drafts")).out).toContain("Made drafts");
    expect((await ask(home, "new folder drafts")).out).toContain("Made drafts 2"); // as the bar does it
    expect((await ask(home, "new doc zed")).out).toContain("Made zed.md");
    expect((await ask(home, "new doc zed")).out).toContain("Made zed 2.md");
    expect((await ask(home, "new doc letters/plan.txt")).out).toContain("Made letters/plan.txt");
    expect((await ask(home, "files letters")).out).toContain("letters/To Ana.md");
    expect((await ask(home, "help")).out).toContain("go back to WHEN|EVENT");
    expect((await ask(home, "?")).out).toBe((await ask(home, "help")).out);
    expect((await ask(home, "help redo")).out).toContain('choir ask "redo"');
    expect((await ask(home, "help teleport")).exit).toBe(1);
  });

  test("its help lists what it does, and what it doesn't list is for the desktop", async () => {
    const home = await open();
    const listed = (await ask(home, "help")).out;
    expect(listed).not.toContain("settings");
    for (const { words, examples } of PHRASES) {
      if (listed.includes(`${words} `)) continue; // what it lists is tried by itself
      expect((await ask(home, examples.at(-1) ?? words)).aside).toContain("is for the desktop");
      expect((await ask(home, `help ${words.split(" ").at(-1)}`)).aside).toContain("is for the desktop");
    }
  });

  test("what a desktop looks like is in files: the theme and the wallpaper are changed without one, and undone", async () => {
    const home = await open();
    const theme = async () => JSON.parse(await text(home, "/artifacts/system/theme.json"));
    expect((await ask(home, "theme light")).out).toContain("The theme is light");
    expect(await theme()).toEqual({ name: "Carbon and gold", scheme: "light" });
    await write(
      home,
      "/artifacts/system/theme.json",
      JSON.stringify({ name: "Mine", scheme: "light", accent: "#d4af37" }),
    );
    await ask(home, "theme dark");
    expect(await theme()).toEqual({ name: "Mine", scheme: "dark", accent: "#d4af37" });
    await ask(home, "undo");
    expect(await theme()).toMatchObject({ scheme: "light" });
    await write(home, "/artifacts/system/theme.json", "{broken");
    const refused = await ask(home, "theme dark");
    expect([refused.exit, refused.aside]).toEqual([1, expect.stringContaining("nothing was written over it")]);
    expect(await text(home, "/artifacts/system/theme.json")).toBe("{broken");

    const none = await ask(home, "wallpaper none");
    expect([none.exit, none.aside]).toEqual([1, expect.stringContaining("there is no wallpaper of yours")]);
    for (const name of ["sea.png", "hill.png"]) {
      await write(home, name, name);
      expect((await ask(home, `wallpaper ${name}`)).out).toContain(`The wallpaper is ${name}`);
      expect(await text(home, "/artifacts/system/wallpaper")).toBe(name);
    }
    expect((await ask(home, "wallpaper none")).out).toContain("The wallpaper is removed");
    await ask(home, "undo");
    expect(await text(home, "/artifacts/system/wallpaper")).toBe("hill.png");
    expect((await ask(home, "wallpaper nothing.png")).exit).toBe(1);
  });

  test("it runs a line for a shell in the sandbox, and undo takes back what that did", async () => {
    const home = await open();
    const ran = await ask(home, "run echo hi > made && cat made; exit 4");
    expect([ran.exit, ran.out]).toEqual([4, "hi\n"]);
    await ask(home, "undo");
    expect(await paths(home)).toEqual([]);
  });

  test("what no command answers needs a model: that is said, and nothing is kept", async () => {
    const home = await open();
    await write(home, "a", "1");
    const asked = await run(home, "ask", "write", "me", "a", "letter");
    expect([asked.exit, asked.aside]).toEqual([1, expect.stringContaining("no model is chosen")]);
    expect((await run(home, "events", "--type", "message")).out).toBe("");
  });

  test("what is for the desktop, or lacks what it is about, is told as that", async () => {
    const home = await open();
    await write(home, "a", "1");
    for (const one of ["open a", "show desktop", "settings", "close"])
      expect(await ask(home, one)).toMatchObject({ exit: 1, aside: expect.stringContaining("is for the desktop") });
    expect(await ask(home, "open")).toMatchObject({ exit: 2, aside: expect.stringContaining("'open' needs the name") });
    expect((await ask(home, " ")).exit).toBe(2);
  });
});

test("choir ask export makes a file in the folder that one stands in", async () => {
  const home = tempHome();
  await write(home, "a", "1");
  const folder = mkdtempSync(`${tmpdir()}/choir-ask-`);
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  process.chdir(folder);
  expect((await ask(home, "export")).out).toContain("Exported");
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^ada-.*\.choir$/)]);
});

describe.each(WAYS)("choir mv and mkdir, %s", (_, open) => {
  test("folders are made in one action, and files go into them in one more", async () => {
    const home = await open();
    expect((await run(home, "mkdir", "d/e", "f")).out).toContain("Made d/e, f: event 2");
    for (const name of ["a", "b"]) await write(home, name, name);
    expect((await run(home, "mv", "a", "b", "d")).out).toContain("Moved 2 paths to d: event 5");
    expect((await run(home, "mv", "d/a", "x")).out).toContain("Moved d/a to x");
    expect((await run(home, "mv", "x", "new/")).out).toContain("Moved x to new/x");
    expect(await paths(home)).toEqual(["d", "d/b", "d/e", "f", "new", "new/x"]);
    await run(home, "undo", "5");
    expect(await text(home, "b")).toBe("b");
  });

  test("nothing is written over, and several go into a folder or nowhere", async () => {
    const home = await open();
    for (const name of ["a", "b", "c"]) await write(home, name, name);
    expect(await run(home, "mv", "a", "b")).toMatchObject({
      exit: 1,
      aside: expect.stringContaining("b is there already"),
    });
    expect(await run(home, "mv", "a", "b", "c")).toMatchObject({
      exit: 2,
      aside: expect.stringContaining("c is no folder"),
    });
    expect(await run(home, "mkdir", "d", "a")).toMatchObject({
      exit: 1,
      aside: expect.stringContaining("a is there already"),
    });
    expect(await paths(home)).toEqual(["a", "b", "c"]);
  });
});
