import { freeName, parentKey } from "@choiros/contract";
import type { DeskApi, FileDeed } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { count } from "../../words.ts";
import { clipboard } from "./clipboard.ts";
import { doingsOf } from "./doings.ts";
import { download } from "./downloads.ts";
import type { FolderView } from "./folder-view.ts";
import { type Incoming, planFor } from "./incoming.ts";
import { keyIn, outermost, shownName, shownWay } from "./keys.ts";
import { placing, type Verb } from "./placing.ts";
import { upload } from "./uploads.ts";

interface Parts {
  readonly desk: DeskApi;
  readonly view: FolderView;
  readonly folder: string;
  readonly isFound: boolean;
  readonly chosen: readonly FileLine[];
  /** These are to be chosen as soon as they are there. */
  choose(keys: readonly string[]): void;
  /** Lets somebody give it another name; returns how not to, where it isn't there after all. */
  rename(key: string): () => void;
}

export type Actions = ReturnType<typeof actionsOn>;

/** All that can be done with what is chosen, and in the folder that is shown. */
export function actionsOn({ desk, view, folder, isFound, chosen, choose, rename }: Parts) {
  const doings = doingsOf(desk);
  const keys = chosen.map(({ key }) => key);
  const thereIn = async (to: string) => {
    const seen = view.seen.get();
    return to === folder && !isFound && seen.is === "here" ? seen.lines : desk.files.list(to);
  };
  const arrange = (deeds: readonly FileDeed[], text: string, doing?: string) =>
    view.hope(deeds, doings.arrange(deeds, text, doing));
  const told = async (doing: () => Promise<unknown>) => {
    try {
      await doing();
    } catch (error) {
      desk.notify({ text: sentence(error), kind: "wrong" });
    }
  };
  const place = (verb: Verb, from: Iterable<string>, to: string) =>
    told(async () => {
      const placed = placing(verb, from, to, await thereIn(to));
      if ("why" in placed) return desk.notify({ text: placed.why, kind: "wrong" });
      if (placed.deeds.length === 0) return;
      if (to === folder) choose(placed.keys);
      const words = `${named(from)} to ${shownName(to)}`;
      const [did, doing] = verb === "move" ? ["Moved", "Moving"] : ["Copied", "Copying"];
      await arrange(placed.deeds, `${did} ${words}`, `${doing} ${words}`);
    });
  const make = (kind: "file" | "folder", name: string) =>
    told(async () => {
      const taken = new Set((await thereIn(folder)).map(({ key }) => key));
      const key = freeName(keyIn(folder, name), taken);
      choose([key]);
      const making = arrange([kind === "file" ? { file: { key } } : { folder: { key } }], `Made ${shownName(key)}`);
      const leave = rename(key); // what one types is its name, however late it is made
      let made = false;
      try {
        made = await making;
      } finally {
        if (!made) leave();
      }
    });

  return {
    newFolder: () => make("folder", "New folder"),
    newFile: () => make("file", "Untitled.md"),
    remove: () =>
      told(async () => {
        const gone = outermost(keys);
        const deeds = gone.map((key) => ({ remove: { key } }));
        if (gone.length > 0) await arrange(deeds, `Deleted ${named(gone)}`, `Deleting ${named(gone)}`);
      }),
    /** The name has been judged. */
    async giveName(key: string, name: string) {
      const to = keyIn(parentKey(key) ?? folder, name);
      if (to === key) return;
      choose([to]);
      await arrange([{ move: { from: key, to } }], `Renamed ${shownName(key)} to ${shownName(to)}`);
    },
    putOnDesktop: () => desk.putOnDesktop(outermost(keys)),
    duplicate: () => place("copy", keys, folder),
    copy: (verb: Verb) => clipboard.set(keys.length === 0 ? undefined : { verb, keys: new Set(keys) }),
    /** As text, for other programs. */
    ways: () => keys.map(shownWay).join("\n"),
    async paste(to = folder) {
      const clip = clipboard.get();
      if (clip === undefined) return;
      if (clip.verb === "move") clipboard.set(undefined);
      await place(clip.verb, clip.keys, to);
    },
    place,
    upload: (incoming: Promise<readonly Incoming[]>, to = folder) =>
      told(async () => {
        const all = await incoming;
        const there = await thereIn(to);
        const plan = planFor(all, to, there.map(({ key }) => key)); // biome-ignore format: in one line
        if (to === folder) choose(plan.tops);
        await upload(desk, plan, to);
      }),
    download: () => download(desk, chosen, chosen.length === 1 ? named(keys) : shownName(folder)),
    undo: () => doings.undo(),
    redo: () => doings.redo(),
    bringBack: (key: string, at: number, when: string) =>
      told(async () => {
        const outcome = await desk.files.restore(key, at);
        if (!outcome.ok && outcome.reason === "nothing") return desk.notify({ text: outcome.message });
        if (!outcome.ok) throw new Error(outcome.message);
        doings.add(`Brought back ${shownName(key)} of ${when}`, [outcome.call]);
      }),
  };
}

function named(keys: Iterable<string>): string {
  const [first, ...rest] = keys;
  if (first === undefined) return "nothing";
  return rest.length === 0 ? shownName(first) : count(rest.length + 1, "item");
}
