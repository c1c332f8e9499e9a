import { parentKey } from "@choiros/contract";
import type { ClipboardEvent, KeyboardEvent } from "react";
import { aboutPaths } from "../../asks/about-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { number } from "../../words.ts";
import type { Actions } from "./actions.ts";
import { contextMenu, newMenu } from "./context-menu.ts";
import { fromField } from "./incoming.ts";
import type { Place } from "./place.ts";
import type { useWays } from "./ways.ts";

interface Parts {
  readonly desk: DeskApi;
  readonly ways: ReturnType<typeof useWays>;
  readonly actions: Actions;
  readonly chosen: readonly FileLine[];
  rename(key: string): void;
  pickFiles(folders: boolean): void;
  /** Leads the keys to where words are typed. */
  toFind(): void;
}

/** More windows at once help nobody. */
const MOST_OPENED = 12;

/** What keys, menus and the clipboard do in a window of files. */
export function commandsOn({ desk, ways, actions, chosen, rename, pickFiles, toFind }: Parts) {
  const { place, go } = ways;
  const [one] = chosen;
  const isFound = place.find !== undefined;
  const pane = (which: Place["pane"]) => ways.change({ pane: which });
  const up = () => go(parentKey(place.key) ?? place.key, place.key);
  const open = (all: readonly FileLine[]) => {
    const [first] = all;
    if (all.length === 1 && first?.entry.kind === "dir") return go(first.key);
    if (all.length > MOST_OPENED) {
      const text = `${number.format(all.length)} are chosen, and ${MOST_OPENED} at most are opened at once.`;
      return void desk.notify({ text, kind: "wrong" });
    }
    for (const { key, entry } of all) desk.openFile(key, entry.kind === "dir" ? "folder" : "file");
  };

  return {
    open,
    pane,
    menu(x: number, y: number) {
      const items = contextMenu({
        ...{ actions, chosen, isFound, pickFiles, pane, order: place, sort: ways.change },
        open: () => open(chosen),
        openInWindow: () => one !== undefined && desk.openFile(one.key, "folder"),
        showInFolder: () => one !== undefined && go(parentKey(one.key) ?? place.key, one.key),
        rename: () => one !== undefined && rename(one.key),
        ask: () => desk.asks.begin(aboutPaths(chosen.length === 0 ? [place.key] : chosen.map(({ key }) => key))),
      });
      if (items.length > 0) desk.showMenu({ x, y, items });
    },
    newMenu: (x: number, y: number) => desk.showMenu({ x, y, items: newMenu({ actions, pickFiles }) }),

    /** Keys for what is chosen. Whether it was one. */
    key(event: KeyboardEvent): boolean {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.key === "Enter" && chosen.length > 0) open(chosen);
      else if (event.key === "F2" && one !== undefined) rename(one.key);
      else if (event.key === "Delete" && chosen.length > 0) void actions.remove();
      else if (event.key === " ") pane(place.pane === "none" ? "preview" : "none");
      else return false;
      return true;
    },

    /** Keys that work wherever one is in the window. */
    keyAnywhere(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.target instanceof HTMLInputElement) return;
      const alone = event.altKey && !event.ctrlKey && !event.metaKey;
      const command = (event.ctrlKey || event.metaKey) && !event.altKey ? event.key.toLowerCase() : undefined;
      if (command === "z") void (event.shiftKey ? actions.redo() : actions.undo());
      else if (command === "y") void actions.redo();
      else if (command === "f") toFind();
      else if (alone && event.key === "ArrowLeft") ways.back();
      else if (alone && event.key === "ArrowRight") ways.forward();
      else if (event.key === "Backspace" || (alone && event.key === "ArrowUp")) up();
      else if (command !== "a") return; // that is for files: where there are any, the list took it
      event.preventDefault();
    },

    clip(event: ClipboardEvent, as: "copy" | "cut" | "paste"): void {
      if (as !== "paste" && chosen.length === 0) return;
      event.preventDefault();
      const { clipboardData } = event;
      if (as !== "paste") {
        clipboardData.setData("text/plain", actions.ways());
        actions.copy(as === "cut" ? "move" : "copy");
      } else if (clipboardData.files.length === 0) void actions.paste();
      else void actions.upload(Promise.resolve(fromField(clipboardData.files)));
    },

    /** What was picked in a dialog of the browser. */
    picked(field: HTMLInputElement): void {
      const incoming = fromField(field.files ?? []);
      field.value = ""; // the same may be picked again
      if (incoming.length > 0) void actions.upload(Promise.resolve(incoming));
    },
  };
}
