import { Sprout } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "welcome",
  title: "Welcome",
  icon: Sprout,
  opens: [],
  size: { w: 540, h: 800 },
  single: true,
  inMenu: true,
  begins: true,
  load: () => import("./app.tsx"),
};
