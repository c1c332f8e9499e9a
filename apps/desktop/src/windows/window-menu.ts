import type { WindowValue } from "@choiros/contract";
import { Copy, Minus, PanelLeft, PanelRight, Square, X } from "lucide-react";
import type { MenuItem } from "../shell/menu.tsx";
import type { Windowing } from "./windowing.ts";

/** What can be done to one window, by its title bar or by its button in the taskbar. */
export function windowMenu(id: string, { state }: WindowValue, windowing: Windowing): MenuItem[] {
  const put = (to: WindowValue["state"]) => () => windowing.put(id, to);
  const large = () => windowing.toggleMaximised(id);
  const isFree = state === "normal";
  return [
    state === "minimised"
      ? { label: "Bring to front", icon: Copy, run: () => windowing.front(id) }
      : { label: "Minimise", icon: Minus, keys: "Ctrl Alt M", run: put("minimised") },
    isFree || state === "minimised"
      ? { label: "Maximise", icon: Square, keys: "Ctrl Alt ↑", run: put("maximised") }
      : { label: "Restore", icon: Copy, keys: "Ctrl Alt ↓", run: state === "maximised" ? large : put("normal") },
    { label: "Left half", icon: PanelLeft, keys: "Ctrl Alt ←", run: put("left"), apart: true },
    { label: "Right half", icon: PanelRight, keys: "Ctrl Alt →", run: put("right") },
    { label: "Close", icon: X, keys: "Ctrl Alt W", run: () => void windowing.close(id), apart: true },
  ];
}
