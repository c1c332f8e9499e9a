import { parentKey } from "@choiros/contract";
import { type Dispatch, type KeyboardEvent, type SetStateAction, useLayoutEffect, useRef, useState } from "react";
import { appOf, apps } from "../apps/registry.ts";
import { aboutPaths } from "../asks/about-words.ts";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
import { focusOn } from "../focus.ts";
import type { SystemFiles } from "../system/system-files.ts";
import { useWatched } from "../watched.ts";
import { hasCards } from "../windows/box.ts";
import type { Windowing } from "../windows/windowing.ts";
import { moveIcon, renamedKey, renameIcon, takeOffDesktop } from "./change-icons.ts";
import { everyApp, idOf, type Spot } from "./desk-icons.ts";
import { useFound } from "./found-things.ts";
import { Icon, lookOf, NamedIcon } from "./icon.tsx";
import { cellAfter, neighbour, roomOf, settled } from "./icon-grid.ts";
import { iconMenu } from "./icon-menu.ts";

interface IconParts {
  readonly api: DeskApi;
  readonly system: SystemFiles;
  readonly windowing: Windowing;
}

const ARROWS: Readonly<Record<string, readonly [column: number, row: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What lies on the desktop: as the layout says, or every app. One stop for the Tab key; arrows move within. */
export function Icons({ api, system, windowing }: IconParts) {
  const layout = useWatched(system.layout);
  const screen = useWatched(windowing.screen);
  const grid = useRef<HTMLElement>(null);
  const list = useWatched(apps);
  const [naming, setNaming] = useState<Naming>();
  const room = roomOf(screen);
  const { spots, kinds } = useFound(api, settled(layout?.icons ?? everyApp(list, room), room).filter(isThere));
  const cards = hasCards(screen);
  const parts = { api, room };
  const focusIcon = (spot: Spot) =>
    focusOn(grid.current?.querySelector<HTMLElement>(`#${CSS.escape(idOf(spot))}`) ?? null);

  /** What was named has the keys again: by its old name at once, and by its new one as soon as it has that. */
  const named = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    const spot = spots.find((one) => "key" in one && named.current.includes(one.key));
    if (spot === undefined || !("key" in spot) || naming !== undefined) return;
    named.current = named.current.slice(named.current.indexOf(spot.key) + 1);
    if (document.activeElement === document.body) focusIcon(spot);
  });

  /** What wasn't named has no keys to come: another thing may have that name much later. */
  const rename = async (key: string, name: string) => {
    const to = renamedKey(key, name);
    if (!(await renameIcon(parts, key, name))) named.current = named.current.filter((one) => one !== to);
  };

  const deedsOn = (spot: Spot) => ({
    open() {
      if (!("key" in spot)) return void api.open(spot.app, spot.args);
      const kind = kinds.get(spot.key) ?? "file";
      if (kind === "gone") api.notify({ text: `“${lookOf(spot).title}” isn't there any more.`, kind: "wrong" });
      else api.openFile(spot.key, kind);
    },
    ask() {
      if ("key" in spot) api.asks.begin(aboutPaths([spot.key]));
    },
    rename() {
      if ("key" in spot) void beginNaming(api, spot.key, setNaming);
    },
    showInFiles() {
      if ("key" in spot) api.open("files", { key: parentKey(spot.key) ?? spot.key, select: spot.key });
    },
    takeOff() {
      const next = neighbour(spots, spot, [0, 1]);
      focusIcon(next === spot ? neighbour(spots, spot, [0, -1]) : next);
      void takeOffDesktop(parts, spot, lookOf(spot).title);
    },
  });
  const key = (event: KeyboardEvent, spot: Spot) => {
    const way = ARROWS[event.key];
    const deeds = deedsOn(spot);
    if (event.key === "Enter" || event.key === " ") deeds.open();
    else if (event.key === "F2") deeds.rename();
    else if (event.key === "Delete") deeds.takeOff();
    else if (way === undefined) return;
    else focusIcon(neighbour(spots, spot, way));
    event.preventDefault();
  };
  return (
    <nav ref={grid} className="icons" aria-label="On the desktop">
      {spots.map((spot, i) =>
        "key" in spot && spot.key === naming?.key ? (
          <NamedIcon
            key={idOf(spot)}
            {...{ spot, cards, taken: naming.taken }}
            kind={kinds.get(spot.key)}
            onName={(name) => {
              setNaming(undefined);
              named.current = name === undefined ? [spot.key] : [spot.key, renamedKey(spot.key, name)];
              if (name !== undefined) void rename(spot.key, name);
            }}
          />
        ) : (
          <Icon
            key={idOf(spot)}
            {...{ spot, cards }}
            kind={"key" in spot ? kinds.get(spot.key) : undefined}
            first={i === 0}
            onOpen={() => deedsOn(spot).open()}
            onKeyDown={(event) => key(event, spot)}
            onMenu={(at) => api.showMenu({ ...at, items: iconMenu(spot, deedsOn(spot)) })}
            onMoved={(by) => void moveIcon(parts, spot, cellAfter(spot, by))}
          />
        ),
      )}
    </nav>
  );
}

/** An app of another version keeps its cell in the layout. */
function isThere(spot: Spot): boolean {
  return "key" in spot || appOf(spot.app) !== undefined;
}

interface Naming {
  readonly key: string;
  /** The names that others have, as soon as they are known. */
  readonly taken: ReadonlySet<string>;
}

/** At once, for whoever types on. */
async function beginNaming(
  api: DeskApi,
  key: string,
  set: Dispatch<SetStateAction<Naming | undefined>>,
): Promise<void> {
  set({ key, taken: new Set() });
  try {
    const lines = await api.files.list(parentKey(key) ?? key);
    const taken = new Set(lines.map((line) => line.key.slice(line.key.lastIndexOf("/") + 1)));
    set((now) => (now?.key === key ? { key, taken } : now));
  } catch (error) {
    api.notify({ text: sentence(error), kind: "wrong" });
  }
}
