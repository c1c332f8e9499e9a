import type { FileLine } from "../../desk/shapes.ts";
import { NameField } from "../../shell/name-field.tsx";
import type { Rect } from "./cells.ts";
import { partOf } from "./keys.ts";

interface RenameParts {
  readonly line: FileLine;
  readonly rect: Rect;
  readonly isGrid: boolean;
  /** The names that are taken by others. */
  readonly taken: ReadonlySet<string>;
  /** `undefined`: it keeps the one it has. */
  onName(name: string | undefined): void;
}

/** Where a file in the list gets another name. */
export function RenameField({ line: { entry, key }, rect: { x, y, w, h }, isGrid, taken, onName }: RenameParts) {
  return (
    <div
      className="files-rename"
      data-grid={isGrid}
      style={{ transform: `translate(${x}px, ${y}px)`, width: w, height: h }}
    >
      <NameField old={partOf(key)} isFolder={entry.kind === "dir"} {...{ taken, onName }} />
    </div>
  );
}
