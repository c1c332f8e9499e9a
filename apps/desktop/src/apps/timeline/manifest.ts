import { Clock } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "timeline",
  title: "Timeline",
  icon: Clock,
  opens: [],
  size: { w: 860, h: 560 },
  single: true,
  load: () => import("./app.tsx"),
};
