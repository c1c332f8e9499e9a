import { MessagesSquare } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "asks",
  title: "Asks",
  icon: MessagesSquare,
  opens: [],
  size: { w: 620, h: 520 },
  single: true,
  load: () => import("./app.tsx"),
};
