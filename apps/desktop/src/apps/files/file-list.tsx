import "./file-list.css";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { isByKeys } from "../../by-keys.ts";
import type { DeskApi } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { useFreeFocus } from "../free-focus.ts";
import { useBand } from "./band.ts";
import { gridCells, heightOf, ledTo, listCells, rectOf } from "./cells.ts";
import { carry } from "./drag.ts";
import type { useDrops } from "./drops.ts";
import { FileCell } from "./file-cell.tsx";
import { partOf } from "./keys.ts";
import { usePresses } from "./presses.ts";
import { RenameField } from "./rename-field.tsx";
import { all, extended, NOTHING, only, pointed, type Selection, toggled } from "./selection.ts";
import { bringIntoSight, useDrawn, useSize } from "./sight.ts";
import { TypeAhead } from "./type-ahead.ts";

interface ListParts {
  readonly desk: DeskApi;
  readonly label: string;
  /** In the order in which they are shown. */
  readonly lines: readonly FileLine[];
  readonly order: readonly string[];
  readonly folder: string;
  readonly isGrid: boolean;
  readonly isFound: boolean;
  readonly inFront: boolean;
  readonly selection: Selection;
  readonly cut: ReadonlySet<string> | undefined;
  readonly renaming: string | undefined;
  readonly drops: ReturnType<typeof useDrops>;
  onSelect(selection: Selection): void;
  onOpen(line: FileLine): void;
  onMenu(x: number, y: number): void;
  onName(key: string, name: string | undefined): void;
  /** Keys that do something with what is chosen. Whether it was one. */
  onKey(event: KeyboardEvent): boolean;
  onClip(event: ClipboardEvent, as: "copy" | "cut" | "paste"): void;
}

const COARSE = matchMedia("(pointer: coarse)");

/** The files, of which only what is in sight is on the page. One stop for the Tab key; arrows move within. */
export function FileList(parts: ListParts) {
  const { lines, order, folder, isGrid, isFound, selection, cut, renaming, drops, onSelect } = parts;
  const id = useId();
  const room = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const ahead = useRef(new TypeAhead());
  const { width, height } = useSize(room);
  const cells = useMemo(
    () => (isGrid ? gridCells(width, order.length) : listCells(width, order.length, COARSE.matches)),
    [isGrid, width, order.length],
  );
  const inSight = useDrawn(room, cells, height);
  const now = useMinutes();
  const names = useMemo(() => order.map(partOf), [order]);
  const indexes = useMemo(() => new Map(order.map((key, index) => [key, index])), [order]);
  const active = indexes.get(selection.active ?? "") ?? -1;
  const band = useBand({ room, cells, order, selection, onSelect });
  const lineAt = (target: EventTarget | null): FileLine | undefined => {
    const cell = target instanceof Element ? target.closest<HTMLElement>(".files-cell") : null;
    return cell === null ? undefined : lines[Number(cell.dataset.index)];
  };
  const presses = usePresses({ ...parts, band, lineAt, list });

  useLayoutEffect(() => {
    if (active >= 0 && room.current !== null) bringIntoSight(room.current, cells, active);
  }, [active, cells]);
  useFreeFocus(list, parts.inFront && renaming === undefined);

  const go = (to: number, event: KeyboardEvent) => {
    const key = order[to];
    if (key === undefined) return;
    if (event.shiftKey) onSelect(extended(selection, order, key, event.ctrlKey));
    else onSelect(event.ctrlKey || event.metaKey ? pointed(selection, key) : only(key));
  };
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const command = ctrlKey || metaKey;
    const to = altKey ? undefined : ledTo(cells, active, key, height);
    const isLetter = key.length === 1 && !command && !altKey && key !== "?" && (key !== " " || ahead.current.isTyping);
    if (isLetter) {
      const meant = ahead.current.type(key, names, active);
      if (meant !== undefined) onSelect(only(order[meant] ?? ""));
    } else if (to !== undefined) go(to, event);
    else if (key === " " && command && selection.active !== undefined) onSelect(toggled(selection, selection.active));
    else if (key.toLowerCase() === "a" && command && !altKey) onSelect(all(selection, order));
    else if (key === "Escape" && selection.keys.size > 0)
      onSelect({ ...NOTHING, ...(selection.active !== undefined && { active: selection.active }) }); // biome-ignore format: in one line
    else if (!parts.onKey(event)) return;
    event.preventDefault();
  };
  const menu = (event: MouseEvent) => {
    event.preventDefault();
    if (presses.isTouching()) return; // a long press chooses
    const line = lineAt(event.target);
    const box = list.current?.querySelector("[data-active=true]")?.getBoundingClientRect();
    if (isByKeys(event.nativeEvent) && box !== undefined) return parts.onMenu(box.left + 24, box.bottom - 4);
    if (line === undefined) onSelect(NOTHING);
    else if (!selection.keys.has(line.key)) onSelect(only(line.key));
    parts.onMenu(event.clientX, event.clientY);
  };
  const drag = (event: DragEvent) => {
    const line = lineAt(event.target);
    if (line === undefined) return;
    const isChosen = selection.keys.has(line.key);
    if (!isChosen) onSelect(only(line.key));
    carry(event.dataTransfer, isChosen ? order.filter((key) => selection.keys.has(key)) : [line.key]);
  };
  const folderAt = (event: DragEvent): string | undefined => {
    const line = lineAt(event.target);
    if (line?.entry.kind === "dir") return line.key;
    return isFound ? undefined : folder;
  };

  const isDrawn = active < 0 || inSight.some(({ index }) => index === active);
  const drawn = isDrawn ? inSight : [...inSight, { slot: -1, index: active }]; // for screen readers
  const renamed = renaming === undefined ? undefined : indexes.get(renaming);
  const renamedLine = renamed === undefined ? undefined : lines[renamed];
  return (
    <div ref={room} className="files-room" data-target={drops.target === folder}>
      <div
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={parts.label}
        aria-multiselectable="true"
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        className="files-list"
        data-grid={isGrid}
        style={{ height: heightOf(cells) }}
        onKeyDown={press}
        onContextMenu={menu}
        onDragStart={drag}
        onCopy={(event) => parts.onClip(event, "copy")}
        onCut={(event) => parts.onClip(event, "cut")}
        onPaste={(event) => parts.onClip(event, "paste")}
        {...presses.props}
        {...drops.dropProps(folderAt)}
      >
        {drawn.map(({ slot, index }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <FileCell
              key={slot}
              id={`${id}-${index}`}
              {...{ desk: parts.desk, line, index, isGrid, isFound, count: order.length }}
              {...rectOf(cells, index)}
              now={now}
              isChosen={selection.keys.has(line.key)}
              isActive={index === active}
              isCut={cut?.has(line.key) ?? false}
              isTarget={drops.target === line.key}
            />
          );
        })}
      </div>
      <div ref={band.element} className="files-band" />
      {renamed !== undefined && renamedLine !== undefined && (
        <RenameField
          key={renamedLine.key}
          line={renamedLine}
          rect={rectOf(cells, renamed)}
          isGrid={isGrid}
          taken={new Set(names)}
          onName={(name) => parts.onName(renamedLine.key, name)}
        />
      )}
    </div>
  );
}

const MINUTE_MS = 60_000;

/** The time, once in a minute. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
