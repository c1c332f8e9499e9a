import { Pencil } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "editor",
  title: "Editor",
  icon: Pencil,
  opens: ["text/*", "application/json", "*"],
  size: { w: 820, h: 560 },
  load: () => import("./app.tsx"),
};
