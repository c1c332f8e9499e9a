import { Pencil } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "editor",
  title: "Editor",
  icon: Pencil,
  opens: ["text/*", "application/json", "*"],
  size: { w: 820, h: 560 },
  keys: [
    ["Ctrl S", "save now; it saves by itself, too"],
    ["Ctrl F", "find and replace"],
    ["Ctrl Z", "undo; with Shift redo"],
    ["F8", "next place to choose; with Shift the one before"],
    ["Ctrl Shift /", "comment, and back"],
    ["Esc  Tab", "on from the text, where Tab indents"],
  ],
  load: () => import("./app.tsx"),
};
