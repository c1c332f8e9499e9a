import { FolderOpen } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "files",
  title: "Files",
  icon: FolderOpen,
  opens: ["folder"],
  size: { w: 760, h: 500 },
  keys: [
    ["Enter", "open what is chosen"],
    ["F2", "another name"],
    ["Delete", "delete; it can be brought back"],
    ["Space", "preview"],
    ["Ctrl C  Ctrl X  Ctrl V", "copy, cut, paste"],
    ["Ctrl Z", "undo; with Shift redo"],
    ["Ctrl F", "find files"],
    ["Backspace", "to the folder above"],
  ],
  load: () => import("./app.tsx"),
};
