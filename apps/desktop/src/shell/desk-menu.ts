import { FilePlus, FolderOpen, FolderPlus, LayoutGrid, MonitorDown, MoonStar, Sun } from "lucide-react";
import { apps } from "../apps/registry.ts";
import { carryOut } from "../bar/carry-out.ts";
import type { DeskApi } from "../desk/api.ts";
import type { SystemFiles } from "../system/system-files.ts";
import type { Windowing } from "../windows/windowing.ts";
import { COMMAND_KEY } from "../words.ts";
import { putAppsBack } from "./change-icons.ts";
import { withApps } from "./desk-icons.ts";
import { roomOf } from "./icon-grid.ts";
import type { MenuItem } from "./menu.tsx";

interface DeskMenuParts {
  readonly api: DeskApi;
  readonly system: SystemFiles;
  readonly windowing: Windowing;
}

/** What can be done with the desktop itself. Most of it is a command of the bar, too. */
export function deskMenu({ system, ...parts }: DeskMenuParts): MenuItem[] {
  const say = (text: string) => () => void carryOut(text, parts);
  const { icons } = system.layout.get() ?? {};
  const isAppMissing = icons !== undefined && withApps(icons, apps.get()).length > icons.length;
  const putBack = () => void putAppsBack({ api: parts.api, room: roomOf(parts.windowing.screen.get()) });
  const light = document.documentElement.dataset.theme === "light";
  return [
    { label: "New document", icon: FilePlus, run: say("new doc") },
    { label: "New folder", icon: FolderPlus, run: say("new folder New folder") },
    { label: "Open files", icon: FolderOpen, run: say("files"), apart: true },
    { label: "Show desktop", icon: MonitorDown, run: say("show desktop") },
    ...(isAppMissing ? [{ label: "Put all apps on the desktop", icon: LayoutGrid, run: putBack }] : []),
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
