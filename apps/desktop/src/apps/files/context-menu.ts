import {
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Download,
  Eye,
  FilePlus,
  FolderOpen,
  FolderPlus,
  FolderUp,
  History,
  MessageCircleQuestion,
  MonitorDown,
  Pencil,
  Scissors,
  SquareArrowOutUpRight,
  Trash2,
  Upload,
} from "lucide-react";
import type { FileLine } from "../../desk/shapes.ts";
import type { MenuItem } from "../../shell/menu.tsx";
import { COMMAND_KEY } from "../../words.ts";
import type { Actions } from "./actions.ts";
import { clipboard } from "./clipboard.ts";
import { COLUMNS, nextOrder, type Order } from "./sorting.ts";

interface Parts {
  readonly actions: Actions;
  readonly chosen: readonly FileLine[];
  /** What was found by words stands in no folder that something could be made in. */
  readonly isFound: boolean;
  readonly order: Order;
  open(): void;
  openInWindow(): void;
  showInFolder(): void;
  /** Begins an ask about what is chosen, or about the folder. */
  ask(): void;
  rename(): void;
  pane(which: "preview" | "versions" | "deleted"): void;
  pickFiles(folders: boolean): void;
  sort(order: Order): void;
}

const keyed = (letter: string) => `${COMMAND_KEY} ${letter}`;

/** For what is chosen; where nothing is, for the folder. */
export function contextMenu(parts: Parts): MenuItem[] {
  return parts.chosen.length === 0 ? folderMenu(parts) : itemMenu(parts);
}

/** What can be made in a folder, or brought into it. */
export function newMenu({ actions, pickFiles }: Pick<Parts, "actions" | "pickFiles">): MenuItem[] {
  return [
    { label: "New folder", icon: FolderPlus, run: () => void actions.newFolder() },
    { label: "New file", icon: FilePlus, run: () => void actions.newFile() },
    { label: "Upload files", icon: Upload, apart: true, run: () => pickFiles(false) },
    { label: "Upload a folder", icon: FolderUp, run: () => pickFiles(true) },
  ];
}

function folderMenu(parts: Parts): MenuItem[] {
  const { actions } = parts;
  const paste = {
    ...{ label: "Paste", icon: ClipboardPaste, keys: keyed("V"), apart: true },
    ...{ disabled: clipboard.get() === undefined, run: () => void actions.paste() },
  };
  const deleted = { label: "Deleted files", icon: ArchiveRestore, apart: true, run: () => parts.pane("deleted") };
  const ask = { label: "Ask about this folder", icon: MessageCircleQuestion, run: parts.ask };
  return parts.isFound ? [] : [...newMenu(parts), paste, ...sortMenu(parts), deleted, ask];
}

/** A grid has no columns to click on, and a small screen not all of them. */
function sortMenu({ order, sort }: Parts): MenuItem[] {
  return COLUMNS.map((column, i) => {
    const isNow = column === order.by;
    const next = nextOrder(order, column);
    return {
      label: `Sort by ${SORTS[column]}${isNow ? `, ${next.down ? "downwards" : "upwards"}` : ""}`,
      ...(isNow && { icon: order.down ? ArrowDown : ArrowUp }),
      apart: i === 0,
      run: () => sort(next),
    };
  });
}

const SORTS = { name: "name", changed: "when it changed", by: "who changed it", kind: "kind", size: "size" } as const;

function itemMenu(parts: Parts): MenuItem[] {
  const { actions, chosen } = parts;
  const [first] = chosen;
  const isOne = chosen.length === 1;
  const isFolder = isOne && first?.entry.kind === "dir";
  const items: (MenuItem | false)[] = [
    { label: "Open", icon: FolderOpen, keys: "Enter", run: parts.open },
    isFolder && { label: "Open in a new window", icon: SquareArrowOutUpRight, run: parts.openInWindow },
    isOne && parts.isFound && { label: "Show in its folder", icon: FolderOpen, run: parts.showInFolder },
    isOne && !isFolder && { label: "Preview", icon: Eye, keys: "Space", run: () => parts.pane("preview") },
    isOne && { label: "Versions", icon: History, run: () => parts.pane("versions") },
    { label: "Ask about this", icon: MessageCircleQuestion, run: parts.ask },
    { label: "Cut", icon: Scissors, keys: keyed("X"), apart: true, run: () => actions.copy("move") },
    { label: "Copy", icon: Copy, keys: keyed("C"), run: () => actions.copy("copy") },
    isFolder && {
      ...{ label: "Paste into it", icon: ClipboardPaste, disabled: clipboard.get() === undefined },
      run: () => void actions.paste(first?.key),
    },
    !parts.isFound && { label: "Duplicate", icon: CopyPlus, run: () => void actions.duplicate() },
    isOne && { label: "Rename", icon: Pencil, keys: "F2", run: parts.rename },
    { label: "Put on the desktop", icon: MonitorDown, run: () => void actions.putOnDesktop() },
    { label: "Download", icon: Download, apart: true, run: () => void actions.download() },
    { label: "Delete", icon: Trash2, keys: "Del", danger: true, apart: true, run: () => void actions.remove() },
  ];
  return items.filter((item) => item !== false);
}
