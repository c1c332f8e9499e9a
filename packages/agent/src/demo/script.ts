import type { Json } from "@choiros/contract";

/** One turn of a script: what is said, and which tools are called. */
export interface Turn {
  readonly says: string;
  readonly calls: readonly { readonly tool: string; readonly input: Json }[];
}

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Bread</title>
<h1>Bread, every morning</h1>
<p>Open from eight.</p>
<ul>
  <li>Rye</li>
  <li>Spelt</li>
</ul>
`;

const README = `# The demo

This folder was written by a script, not by a model: it shows what happens when you ask for something.
Every step is in the Timeline. "Undo all of it" in the ask's window takes the whole folder back.
`;

const CHECK = "grep -q '<h1>' demo/index.html && ! grep -q 'from eight' demo/index.html";

export const DIRECTOR_SCRIPT: readonly Turn[] = [
  {
    says: "This is a script, not a model. One task is enough: a page and a note, with a check at the end.",
    calls: [
      {
        tool: "plan",
        input: {
          instruction: "Write demo/index.html, a small page about a bakery that opens at seven, and demo/README.md.",
          acceptance_criteria: ["demo/index.html has a heading", "it says that the bakery opens at seven"],
          allowed_tools: ["write_file", "read_file", "edit_file", "bash"],
          paths: ["demo"],
          verify: [CHECK],
        },
      },
    ],
  },
  {
    says: "The check passed.",
    calls: [
      {
        tool: "answer",
        input: {
          text: "**Scripted demo.** The page is in `demo/index.html`, with a note beside it. The script wrote it, looked at it with a command, mended the opening hour, and ran its check.\n\nTake it back with *Undo all of it*, and look at what happened in the Timeline. To ask for things of your own, connect a model in the console.",
          look: ["demo/index.html", "demo/README.md"],
        },
      },
    ],
  },
];

export const ASSOCIATE_SCRIPT: readonly Turn[] = [
  {
    says: "First the page and the note.",
    calls: [
      { tool: "write_file", input: { path: "demo/index.html", content: PAGE } },
      { tool: "write_file", input: { path: "demo/README.md", content: README } },
    ],
  },
  {
    says: "Now a look at what is there.",
    calls: [
      { tool: "bash", input: { command: "ls -l demo && wc -w demo/*" } },
      { tool: "read_file", input: { path: "demo/index.html" } },
    ],
  },
  {
    says: "The hour is wrong: it opens at seven.",
    calls: [
      {
        tool: "edit_file",
        input: { path: "demo/index.html", edits: [{ old: "Open from eight.", new: "Open from seven." }] },
      },
    ],
  },
  {
    says: "Done.",
    calls: [{ tool: "finish", input: { status: "ok", summary: "Wrote the page and the note, and mended the hour." } }],
  },
];
