import { FilePlus, FolderOpen, FolderPlus, MonitorDown, MoonStar, Sun } from "lucide-react";
import { apps } from "../apps/registry.ts";
import { carryOut } from "../bar/carry-out.ts";
import type { DeskApi } from "../desk/api.ts";
import type { Windowing } from "../windows/windowing.ts";
import { COMMAND_KEY } from "../words.ts";
import type { MenuItem } from "./menu.tsx";

/** What can be done with the desktop itself. Each is a command of the bar, too. */
export function deskMenu(parts: { readonly api: DeskApi; readonly windowing: Windowing }): MenuItem[] {
  const say = (text: string) => () => void carryOut(text, parts);
  const light = document.documentElement.dataset.theme === "light";
  return [
    { label: "New document", icon: FilePlus, run: say("new doc") },
    { label: "New folder", icon: FolderPlus, run: say("new folder New folder") },
    { label: "Open files", icon: FolderOpen, run: say("files"), apart: true },
    { label: "Show desktop", icon: MonitorDown, run: say("show desktop") },
    {
      label: light ? "Dark theme" : "Light theme",
      icon: light ? MoonStar : Sun,
      run: say(light ? "theme dark" : "theme light"),
      apart: true,
    },
    ...apps
      .get()
      .filter(({ inMenu }) => inMenu === true)
      .map(({ id, title, icon, chord }) => ({
        ...{ label: title, icon, run: () => void parts.api.open(id) },
        ...(chord !== undefined && { keys: `${COMMAND_KEY} ${chord}` }),
      })),
  ];
}
