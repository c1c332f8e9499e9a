import { Monitor } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "about",
  title: "About this computer",
  icon: Monitor,
  opens: [],
  size: { w: 420, h: 380 },
  single: true,
  inMenu: true,
  load: () => import("./app.tsx"),
};
