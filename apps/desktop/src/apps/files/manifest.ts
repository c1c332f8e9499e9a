import { FolderOpen } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "files",
  title: "Files",
  icon: FolderOpen,
  opens: ["folder"],
  size: { w: 760, h: 500 },
  load: () => import("./app.tsx"),
};
