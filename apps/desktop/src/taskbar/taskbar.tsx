import { MonitorDown } from "lucide-react";
import type { ReactNode } from "react";
import type { DeskApi } from "../desk/api.ts";
import type { Desk } from "../desk/desk.ts";
import type { SystemFiles } from "../system/system-files.ts";
import { useWatched } from "../watched.ts";
import { hasCards } from "../windows/box.ts";
import type { Windowing } from "../windows/windowing.ts";
import { Clock } from "./clock.tsx";
import { ConnectionMark } from "./connection-mark.tsx";
import { GoingOn } from "./going-on.tsx";
import { NoticeHistory } from "./notice-history.tsx";
import { Running } from "./running.tsx";
import { CardsButton } from "./switcher-buttons.tsx";

interface TaskbarParts {
  readonly desk: Desk;
  readonly api: DeskApi;
  readonly system: SystemFiles;
  readonly windowing: Windowing;
  /** The bar. */
  readonly children: ReactNode;
}

export function Taskbar({ desk, api, system, windowing, children }: TaskbarParts) {
  const cards = hasCards(useWatched(windowing.screen));
  const { pinned = [], place = "bottom" } = useWatched(system.layout)?.taskbar ?? {};
  return (
    <footer className="taskbar" data-place={place}>
      {children}
      {cards ? <CardsButton desk={desk} /> : <Running {...{ desk, api, windowing, pinned }} />}
      <div className="tray">
        <GoingOn notices={desk.notices} />
        <ConnectionMark desk={desk} />
        <NoticeHistory notices={desk.notices} />
        {!cards && <Clock />}
        {!cards && (
          <button
            type="button"
            className="tray-button"
            aria-label="Show desktop"
            title="Show desktop (Ctrl Alt D)"
            onClick={() => windowing.showDesktop()}
          >
            <MonitorDown aria-hidden="true" size={16} />
          </button>
        )}
      </div>
    </footer>
  );
}
