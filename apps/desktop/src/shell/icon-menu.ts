import { FolderOpen, FolderSearch, MessageCircleQuestion, Pencil, X } from "lucide-react";
import type { Spot } from "./desk-icons.ts";
import type { MenuItem } from "./menu.tsx";

export interface IconDeeds {
  open(): void;
  rename(): void;
  showInFiles(): void;
  takeOff(): void;
  ask(): void;
}

/** What can be done with what lies on the desktop; each has its key, too. */
export function iconMenu(spot: Spot, { ask, open, rename, showInFiles, takeOff }: IconDeeds): MenuItem[] {
  const ofFile: MenuItem[] = [
    { label: "Show in Files", icon: FolderSearch, run: showInFiles },
    { label: "Ask about this", icon: MessageCircleQuestion, run: ask },
    { label: "Rename", icon: Pencil, keys: "F2", apart: true, run: rename },
  ];
  return [
    { label: "Open", icon: FolderOpen, keys: "Enter", run: open },
    ...("key" in spot ? ofFile : []),
    { label: "Take off the desktop", icon: X, keys: "Del", apart: true, run: takeOff },
  ];
}
