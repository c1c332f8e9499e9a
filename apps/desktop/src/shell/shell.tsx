import { useCallback, useEffect } from "react";
import { AskBar } from "../bar/ask-bar.tsx";
import type { DeskApi } from "../desk/api.ts";
import type { Desk } from "../desk/desk.ts";
import { applyTheme } from "../system/apply-theme.ts";
import type { SystemFiles } from "../system/system-files.ts";
import { Taskbar } from "../taskbar/taskbar.tsx";
import { useWatched } from "../watched.ts";
import { hasCards } from "../windows/box.ts";
import { Switcher } from "../windows/switcher.tsx";
import { WindowLayer } from "../windows/window-layer.tsx";
import type { Windowing } from "../windows/windowing.ts";
import { deskMenu } from "./desk-menu.ts";
import { Icons } from "./icons.tsx";
import { useKeys } from "./keys.ts";
import { Menu, shownMenu } from "./menu.tsx";
import { Toasts } from "./toasts.tsx";
import { useDrops } from "./use-drops.ts";
import { Wallpaper } from "./wallpaper.tsx";

export interface ShellParts {
  readonly desk: Desk;
  readonly windowing: Windowing;
  readonly api: DeskApi;
  readonly system: SystemFiles;
}

/** Everything that is on the screen. */
export function Shell({ desk, windowing, api, system }: ShellParts) {
  const ready = useWatched(desk.ready);
  const theme = useWatched(system.theme);
  const menu = useWatched(shownMenu);
  const screen = useWatched(windowing.screen);
  const closeMenu = useCallback(() => shownMenu.set(undefined), []);
  const drops = useDrops(api);
  useEffect(() => applyTheme(theme), [theme]);
  useKeys({ desk, windowing });

  return (
    <>
      <main
        className="desk"
        aria-label="Desktop"
        aria-busy={!ready}
        data-dropping={drops.isOver}
        {...drops.props}
        onContextMenu={(event) => {
          if (event.defaultPrevented || isWithin(event.target, ".app, .toast")) return;
          event.preventDefault();
          shownMenu.set({ x: event.clientX, y: event.clientY, items: deskMenu({ api, system, windowing }) });
        }}
      >
        <Wallpaper system={system} />
        <Icons {...{ api, system, windowing }} />
        <WindowLayer {...{ desk, api, windowing }} />
        <Switcher {...{ desk, windowing }} />
        <Toasts notices={desk.notices} isSmall={hasCards(screen)} />
      </main>
      <Taskbar {...{ desk, api, system, windowing }}>
        <AskBar {...{ windowing, api }} />
      </Taskbar>
      {menu !== undefined && <Menu at={menu} onClose={closeMenu} />}
    </>
  );
}

function isWithin(target: EventTarget, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
