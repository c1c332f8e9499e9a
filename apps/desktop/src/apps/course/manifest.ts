import { Sparkles } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "course",
  title: "Ask",
  icon: Sparkles,
  opens: [],
  of: "ask",
  hidden: true,
  size: { w: 640, h: 660 },
  load: () => import("./app.tsx"),
};
