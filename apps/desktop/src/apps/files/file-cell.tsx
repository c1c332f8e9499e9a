import { parentKey } from "@choiros/contract";
import { memo } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { whoName } from "../../shown/who.ts";
import { fileSize } from "../../words.ts";
import { shownName, shownWay } from "./keys.ts";
import { iconOf, kindWord } from "./kinds.ts";
import { Thumb } from "./thumb.tsx";
import { whenWords } from "./when.ts";

interface CellParts {
  readonly desk: DeskApi;
  readonly id: string;
  readonly line: FileLine;
  readonly index: number;
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly isGrid: boolean;
  /** Found by words: where it lies is said. */
  readonly isFound: boolean;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly isCut: boolean;
  readonly isTarget: boolean;
  /** Times are said from now. */
  readonly now: number;
}

/** With a finger a long press chooses. */
const CAN_DRAG = !matchMedia("(pointer: coarse)").matches;

/** One file or folder. Drawn again only when it changed itself. */
export const FileCell = memo(function FileCell(parts: CellParts) {
  const { desk, id, line, index, count, x, y, w, h, isGrid, isFound, isChosen, isActive, isCut, isTarget, now } = parts;
  const Icon = iconOf(line);
  const name = shownName(line.key);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the keys, and names the one that is active
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={`files-cell ${isGrid ? "files-tile" : "files-row"}`}
      data-index={index}
      data-kind={line.entry.kind}
      data-active={isActive}
      data-cut={isCut}
      data-target={isTarget}
      style={{ transform: `translate(${x}px, ${y}px)`, width: w, height: h }}
    >
      <span className="files-grip" draggable={CAN_DRAG} title={name}>
        {isGrid ? <Thumb key={line.key} desk={desk} line={line} /> : <Icon aria-hidden="true" size={16} />}
        <bdi className="files-name">{name}</bdi>
      </span>
      {!isGrid && <Columns line={line} isFound={isFound} now={now} />}
    </div>
  );
});

function Columns({ line, isFound, now }: Pick<CellParts, "line" | "isFound" | "now">) {
  const { entry, ts } = line;
  if (isFound) return <bdi className="files-way">{shownWay(parentKey(line.key) ?? "")}</bdi>;
  return (
    <>
      <span className="files-when">{ts === undefined ? "just now" : whenWords(ts, new Date(now))}</span>
      <span className="files-by">{whoName(line.by ?? "user")}</span>
      <span className="files-kind">{kindWord(line)}</span>
      <span className="files-size">{entry.kind === "dir" ? "" : fileSize(entry.size)}</span>
    </>
  );
}
