import type { WindowValue } from "@choiros/contract";
import {
  ArrowDownLeft,
  ArrowDownRight,
  ArrowUpLeft,
  ArrowUpRight,
  Copy,
  Minus,
  Move,
  MoveDiagonal2,
  PanelLeft,
  PanelRight,
  Square,
  X,
} from "lucide-react";
import type { MenuItem } from "../shell/menu.tsx";
import { hasCards } from "./box.ts";
import { takeArrows } from "./nudges.ts";
import type { Windowing } from "./windowing.ts";

/** What can be done to one window, by its title bar or by its button in the taskbar. */
export function windowMenu(id: string, window: WindowValue, windowing: Windowing): MenuItem[] {
  return [
    window.state === "minimised"
      ? { label: "Bring to front", icon: Copy, run: () => windowing.front(id) }
      : { label: "Minimise", icon: Minus, keys: "Ctrl Alt M", run: () => windowing.put(id, "minimised") },
    ...(hasCards(windowing.screen.get()) ? [] : whereItStands(id, window, windowing)),
    { label: "Close", icon: X, keys: "Ctrl Alt W", run: () => void windowing.close(id), apart: true },
  ];
}

/** On a screen where that is for somebody to say. */
function whereItStands(id: string, { state }: WindowValue, windowing: Windowing): MenuItem[] {
  const put = (to: WindowValue["state"]) => ({ run: () => windowing.put(id, to), disabled: state === to });
  const arrows = (to: "move" | "resize") => ({
    run: () => takeArrows(id, to, windowing),
    disabled: state === "minimised" || state === "maximised",
  });
  const isFree = state === "normal" || state === "minimised";
  const restore = state === "maximised" ? () => windowing.toggleMaximised(id) : put("normal").run;
  return [
    isFree
      ? { label: "Maximise", icon: Square, keys: "Ctrl Alt ↑", ...put("maximised") }
      : { label: "Restore", icon: Copy, keys: "Ctrl Alt ↓", run: restore },
    { label: "Left half", icon: PanelLeft, keys: "Ctrl Alt ←", apart: true, ...put("left") },
    { label: "Right half", icon: PanelRight, keys: "Ctrl Alt →", ...put("right") },
    { label: "Top left quarter", icon: ArrowUpLeft, keys: "Ctrl Alt ← ↑", ...put("top-left") },
    { label: "Top right quarter", icon: ArrowUpRight, keys: "Ctrl Alt → ↑", ...put("top-right") },
    { label: "Bottom left quarter", icon: ArrowDownLeft, keys: "Ctrl Alt ← ↓", ...put("bottom-left") },
    { label: "Bottom right quarter", icon: ArrowDownRight, keys: "Ctrl Alt → ↓", ...put("bottom-right") },
    { label: "Move by arrow keys", icon: Move, keys: "F6, ← → ↑ ↓", apart: true, ...arrows("move") },
    { label: "Resize by arrow keys", icon: MoveDiagonal2, keys: "F6, Shift ← → ↑ ↓", ...arrows("resize") },
  ];
}
