import { Sprout } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "welcome",
  title: "Welcome",
  icon: Sprout,
  opens: [],
  size: { w: 720, h: 664 },
  single: true,
  inMenu: true,
  begins: true,
  load: () => import("./app.tsx"),
};
