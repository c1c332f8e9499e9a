import { Settings } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "settings",
  title: "Settings",
  icon: Settings,
  opens: [],
  size: { w: 440, h: 400 },
  single: true,
  inMenu: true,
  load: () => import("./app.tsx"),
};
