import type { WindowValue } from "@choiros/contract";
import { AppWindow } from "lucide-react";
import { appOf } from "../apps/registry.ts";
import type { DeskApi } from "../desk/api.ts";
import type { Desk } from "../desk/desk.ts";
import { useWatched } from "../watched.ts";
import { useWidth } from "../width.ts";
import { frontOf } from "../windows/deeds.ts";
import { windowMenu } from "../windows/window-menu.ts";
import type { Windowing } from "../windows/windowing.ts";
import { fitting, ICON_ROOM } from "./fitting.ts";
import { MoreButton } from "./switcher-buttons.tsx";

interface RunningParts {
  readonly desk: Desk;
  readonly api: DeskApi;
  readonly windowing: Windowing;
  /** Apps that are there also while none of their windows is open. */
  readonly pinned: readonly string[];
}

/** A button for each window there is room for, in the order they were opened; before them what is pinned and rests. */
export function Running({ desk, api, windowing, pinned }: RunningParts) {
  const windows = useWatched(desk.windows);
  const [place, room] = useWidth<HTMLElement>();
  const front = frontOf(windows);
  const open = new Set([...windows.values()].map(({ app }) => app));
  const resting = pinned.flatMap((id) => (open.has(id) ? [] : (appOf(id) ?? [])));
  const { shown, titles } = fitting([...windows.keys()], front, room - resting.length * ICON_ROOM);
  return (
    <nav ref={place} className="running" aria-label="Windows" data-titles={titles}>
      {resting.map(({ id, icon: Icon, title }) => (
        <button
          key={id}
          type="button"
          className="window-button resting"
          title={title}
          aria-label={title}
          onClick={() => api.open(id)}
        >
          <Icon aria-hidden="true" size={15} />
        </button>
      ))}
      {shown.map((id) => {
        const window = windows.get(id);
        return window && <WindowButton key={id} {...{ id, window, api, windowing }} inFront={id === front} />;
      })}
      {shown.length < windows.size && <MoreButton desk={desk} count={windows.size - shown.length} />}
    </nav>
  );
}

interface ButtonParts {
  readonly id: string;
  readonly window: WindowValue;
  readonly inFront: boolean;
  readonly api: DeskApi;
  readonly windowing: Windowing;
}

function WindowButton({ id, window, inFront, api, windowing }: ButtonParts) {
  const { app, state, title } = window;
  const Icon = appOf(app)?.icon ?? AppWindow;
  return (
    <button
      type="button"
      className="window-button"
      title={title}
      aria-label={title}
      aria-pressed={inFront}
      data-away={state === "minimised"}
      onClick={() => windowing.toggle(id)}
      onContextMenu={(event) => {
        event.preventDefault();
        api.showMenu({ x: event.clientX, y: event.clientY, items: windowMenu(id, window, windowing) });
      }}
      onAuxClick={({ button }) => button === 1 && void windowing.close(id)}
    >
      <Icon aria-hidden="true" size={15} />
      <span className="running-title">{title}</span>
    </button>
  );
}
