import { Keyboard } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "keys",
  title: "Keys",
  icon: Keyboard,
  opens: [],
  size: { w: 460, h: 520 },
  single: true,
  hidden: true,
  inMenu: true,
  chord: "/",
  load: () => import("./app.tsx"),
};
