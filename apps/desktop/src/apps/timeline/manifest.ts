import { Clock } from "lucide-react";
import type { Manifest } from "../app.ts";

export const manifest: Manifest = {
  id: "timeline",
  title: "Timeline",
  icon: Clock,
  opens: [],
  size: { w: 860, h: 560 },
  single: true,
  keys: [
    ["/", "words to look for"],
    ["Enter", "what an event did"],
    ["← →", "unfold and fold a line"],
    ["U", "undo it, after a look at what that does"],
  ],
  load: () => import("./app.tsx"),
};
