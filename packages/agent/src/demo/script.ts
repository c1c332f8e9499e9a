import type { Json } from "@choiros/contract";
import type { ModelMessage, ToolReply } from "../models/model.ts";

/** One turn of a script: what is said, and which tools are called. */
export interface Turn {
  readonly says: string;
  readonly calls: readonly { readonly tool: string; readonly input: Json }[];
}

/** What the Director says next. It follows what it was answered as far as that: a free folder, and whether the task was done. */
export function directorTurn(messages: readonly ModelMessage[]): Turn {
  const replies = repliesIn(messages);
  const folder = freeFolder(replies.find(({ tool }) => tool === "list_files")?.text ?? "");
  const isShort = replies.some(({ failed, tool }) => failed && tool === "plan");
  return [LOOK, planIn(folder)][saidIn(messages)] ?? (isShort ? FELL_SHORT : answerOf(folder));
}

/** What the Associate says next. Once something failed it gives up: the script knows no other way. */
export function associateTurn(messages: readonly ModelMessage[]): Turn {
  if (repliesIn(messages).some(({ failed }) => failed)) return GIVE_UP;
  const [task] = messages;
  const folder = (task?.role === "user" ? /demo(?:-\d+)?(?=\/index\.html)/.exec(task.text)?.[0] : undefined) ?? "demo";
  return workIn(folder)[saidIn(messages)] ?? FINISH;
}

function saidIn(messages: readonly ModelMessage[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

function repliesIn(messages: readonly ModelMessage[]): ToolReply[] {
  return messages.flatMap((message) => (message.role === "tools" ? message.results : []));
}

/** What an earlier one left may have been changed since: nothing is written over. */
function freeFolder(listed: string): string {
  const taken = new Set(listed.split("\n").map((line) => line.replace(/(?:\/| {2}.*)$/, "")));
  let folder = "demo";
  for (let number = 2; taken.has(folder); number++) folder = `demo-${number}`;
  return folder;
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

const LOOK: Turn = {
  says: "This is a script, not a model. First a look at what is there.",
  calls: [{ tool: "list_files", input: {} }],
};

function planIn(folder: string): Turn {
  return {
    says: "One task is enough: a page and a note, with a check at the end.",
    calls: [
      {
        tool: "plan",
        input: {
          instruction: `Write ${folder}/index.html, a small page about a bakery that opens at seven, and ${folder}/README.md.`,
          acceptance_criteria: [`${folder}/index.html has a heading`, "it says that the bakery opens at seven"],
          allowed_tools: ["write_file", "read_file", "edit_file", "bash"],
          paths: [folder],
          cost_budget: 0.01, // a script costs nothing
          token_budget: 20_000,
          verify: [`grep -q '<h1>' ${folder}/index.html && ! grep -q 'from eight' ${folder}/index.html`],
        },
      },
    ],
  };
}

function answerOf(folder: string): Turn {
  return {
    says: "The check passed.",
    calls: [
      {
        tool: "answer",
        input: {
          text: `**Scripted demo.** The page is in \`${folder}/index.html\`, with a note beside it. The script wrote it, looked at it with a command, mended the opening hour, and ran its check.\n\nTake it back with *Undo all of it*, and look at what happened in the Timeline. To ask for things of your own, connect a model in the console.`,
          look: [`${folder}/index.html`, `${folder}/README.md`],
        },
      },
    ],
  };
}

const FELL_SHORT: Turn = {
  says: "The task wasn't done.",
  calls: [
    {
      tool: "answer",
      input: {
        text: "**Scripted demo.** It didn't go as it is written in the script, which knows no other way. Above stands what was in the way. What it did by then can be taken back, and the demo can be watched again.",
        status: "given-up",
      },
    },
  ],
};

function workIn(folder: string): readonly Turn[] {
  const page = `${folder}/index.html`;
  return [
    {
      says: "First the page and the note.",
      calls: [
        { tool: "write_file", input: { path: page, content: PAGE } },
        { tool: "write_file", input: { path: `${folder}/README.md`, content: README } },
      ],
    },
    {
      says: "Now a look at what is there.",
      calls: [
        { tool: "bash", input: { command: `ls -l ${folder} && wc -w ${folder}/*` } },
        { tool: "read_file", input: { path: page } },
      ],
    },
    {
      says: "The hour is wrong: it opens at seven.",
      calls: [
        {
          tool: "edit_file",
          input: { path: page, edits: [{ old: "Open from eight.", new: "Open from seven." }] },
        },
      ],
    },
  ];
}

const FINISH: Turn = {
  says: "Done.",
  calls: [{ tool: "finish", input: { status: "ok", summary: "Wrote the page and the note, and mended the hour." } }],
};

const GIVE_UP: Turn = {
  says: "That didn't go as it is written.",
  calls: [
    { tool: "finish", input: { status: "failed", summary: "A step failed, and the script knows no other way." } },
  ],
};
