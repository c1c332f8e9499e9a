import { CircleQuestionMark } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "help",
  title: "Help",
  icon: CircleQuestionMark,
  opens: [],
  size: { w: 820, h: 580 },
  single: true,
  load: () => import("./app.tsx"),
};
