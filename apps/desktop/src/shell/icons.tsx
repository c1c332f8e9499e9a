import type { Layout } from "@choiros/contract";
import { FileText, type LucideIcon } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { Manifest } from "../apps/app.ts";
import { appOf, apps } from "../apps/registry.ts";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
import { focusOn } from "../focus.ts";
import { changeLayout } from "../system/change-system.ts";
import type { SystemFiles } from "../system/system-files.ts";
import { useWatched } from "../watched.ts";
import { hasCards, type Point } from "../windows/box.ts";
import type { Windowing } from "../windows/windowing.ts";
import { type Cell, cellAfter, neighbour, roomOf, settled } from "./icon-grid.ts";

type Spot = NonNullable<Layout["icons"]>[number];

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
  const room = roomOf(screen);
  const spots = settled(layout?.icons ?? everyApp(list, room), room);
  const cards = hasCards(screen);

  const key = (event: KeyboardEvent, spot: Spot) => {
    const way = ARROWS[event.key];
    if (event.key === "Enter" || event.key === " ") open(api, spot);
    else if (way === undefined) return;
    else focusOn(grid.current?.querySelector<HTMLElement>(`#${CSS.escape(idOf(neighbour(spots, spot, way)))}`));
    event.preventDefault();
  };
  const move = async (spot: Spot, by: Point) => {
    const icons = settled([{ ...spot, ...cellAfter(spot, by) }, ...spots.filter((one) => one !== spot)], room);
    try {
      const outcome = await changeLayout(api, { icons });
      if (!outcome.ok) api.notifyDone("", outcome);
    } catch (error) {
      api.notify({ text: sentence(error), kind: "wrong" });
    }
  };
  return (
    <nav ref={grid} className="icons" aria-label="On the desktop">
      {spots.map((spot, i) => (
        <Icon
          key={idOf(spot)}
          {...{ spot, api, cards }}
          first={i === 0}
          onKeyDown={(event) => key(event, spot)}
          onMoved={(by) => void move(spot, by)}
        />
      ))}
    </nav>
  );
}

interface OneIcon {
  readonly spot: Spot;
  readonly api: DeskApi;
  readonly cards: boolean;
  readonly first: boolean;
  onKeyDown(event: KeyboardEvent): void;
  onMoved(by: Point): void;
}

function Icon({ spot, api, cards, first, onKeyDown, onMoved }: OneIcon) {
  const { icon: Mark, title } = lookOf(spot);
  const drag = useDrag(onMoved, cards);
  return (
    <button
      id={idOf(spot)}
      type="button"
      className="icon"
      tabIndex={first ? 0 : -1}
      style={cards ? {} : { gridColumn: spot.column + 1, gridRow: spot.row + 1, ...drag.style }}
      onDoubleClick={() => open(api, spot)}
      onKeyDown={onKeyDown}
      {...drag.handlers}
      onPointerUp={({ pointerType }) => {
        if (pointerType !== "mouse" && drag.by === undefined) open(api, spot);
        drag.end();
      }}
    >
      <span className="icon-tile">
        <Mark aria-hidden="true" size={20} />
      </span>
      <span className="icon-title">{title}</span>
    </button>
  );
}

/** Less than this is a click with a hand that isn't quite still. */
const STILL = 5;

/** An icon under the pointer, until it is let go. */
function useDrag(onMoved: (by: Point) => void, off: boolean) {
  const [by, setBy] = useState<Point>();
  const start = useRef<Point>(undefined);
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (off || event.button !== 0) return;
      start.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (start.current === undefined) return;
      const next = { x: clientX - start.current.x, y: clientY - start.current.y };
      if (by !== undefined || Math.hypot(next.x, next.y) >= STILL) setBy(next);
    },
    onPointerCancel() {
      start.current = undefined;
      setBy(undefined);
    },
  };
  const end = () => {
    start.current = undefined;
    if (by !== undefined) onMoved(by);
    setBy(undefined);
  };
  const style = by === undefined ? {} : { transform: `translate(${by.x}px, ${by.y}px)`, zIndex: 1 };
  return { by, handlers, end, style };
}

/** Column after column. */
function everyApp(list: readonly Manifest[], room: Cell): Spot[] {
  return list
    .filter(({ hidden }) => hidden !== true)
    .map(({ id }, i) => ({ app: id, column: Math.floor(i / room.row), row: i % room.row }));
}

function lookOf(spot: Spot): { readonly icon: LucideIcon; readonly title: string } {
  if ("key" in spot) return { icon: FileText, title: spot.title ?? spot.key.slice(spot.key.lastIndexOf("/") + 1) };
  const app = appOf(spot.app);
  return { icon: app?.icon ?? FileText, title: spot.title ?? app?.title ?? spot.app };
}

function open(api: DeskApi, spot: Spot): void {
  if ("key" in spot) api.openFile(spot.key);
  else api.open(spot.app, spot.args);
}

function idOf(spot: Spot): string {
  return `icon-${"key" in spot ? spot.key : `${spot.app} ${JSON.stringify(spot.args ?? {})}`}`;
}
