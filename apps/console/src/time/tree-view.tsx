import { parentKey, plain } from "@choiros/contract";
import { ChevronDown, ChevronRight, File, Folder, FolderOpen, Link2 } from "lucide-react";
import { type KeyboardEvent, memo, useMemo, useState } from "react";
import { size } from "../words.ts";
import type { Difference, Differences } from "./differences.ts";
import type { Stood, Tree, TreeRow } from "./tree.ts";
import { VirtualList } from "./virtual-list.tsx";

interface TreeParts {
  readonly tree: Tree;
  /** Changes with whatever changes in the tree. */
  readonly version: number;
  readonly at: number | undefined;
  /** More of it is on its way, with which it will be quicker. */
  readonly loading: boolean;
  readonly differences: Differences;
  readonly chosen: string | undefined;
  onChoose(key: string): void;
}

/** The tree as it was. */
export function TreeView({ tree, version, at, loading, differences, chosen, onChoose }: TreeParts) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(["workspace"]));
  const [active, setActive] = useState(0);
  const rows = useMemo(() => tree.rows(open), [tree, version, open]);

  const toggle = (key: string, to = !open.has(key)) => {
    const next = new Set(open);
    if (to) next.add(key);
    else next.delete(key);
    setOpen(next);
  };
  const pick = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    if (row.entry.kind === "dir") toggle(row.key);
    onChoose(row.key);
  };
  const key = (event: KeyboardEvent, index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    const isOpen = row.entry.kind === "dir" && open.has(row.key);
    if (event.key === " ") pick(index);
    else if (event.key === "ArrowLeft" && isOpen) toggle(row.key);
    else if (event.key === "ArrowLeft")
      setActive(
        Math.max(
          0,
          rows.findIndex(({ key }) => key === parentKey(row.key)),
        ),
      );
    else if (event.key === "ArrowRight" && isOpen)
      setActive(index + Number(parentKey(rows[index + 1]?.key ?? "") === row.key));
    else if (event.key === "ArrowRight" && row.entry.kind === "dir") toggle(row.key);
    else return;
    event.preventDefault();
  };

  /** A folder that is open leaves it to what is in it. */
  const differs = (key: string) =>
    differences.paths.get(key) ?? (!open.has(key) && differences.folders.has(key) ? "changed" : undefined);

  return (
    <div className="tree" data-at={at} aria-busy={loading}>
      <VirtualList
        role="tree"
        label="Files at this moment"
        count={rows.length}
        rowHeight={28}
        active={Math.min(active, rows.length - 1)}
        onActive={setActive}
        onPick={pick}
        onKey={key}
        aria={(index) => ariaOf(rows[index], open)}
        render={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { entry, key, name, depth } = row;
          return (
            <Row
              {...{ name, depth, kind: entry.kind, bytes: entry.kind === "file" ? entry.size : undefined }}
              {...{ open: open.has(key), chosen: key === chosen, differs: differs(key) }}
            />
          );
        }}
      />
      {rows.length === 0 && at !== undefined && <p className="empty faint">There were no files yet.</p>}
    </div>
  );
}

function ariaOf(row: TreeRow | undefined, open: ReadonlySet<string>): Record<string, unknown> {
  if (row === undefined) return {};
  const where = { "aria-level": row.depth + 1, "aria-posinset": row.place, "aria-setsize": row.of };
  return { ...where, ...(row.entry.kind === "dir" && { "aria-expanded": open.has(row.key) }) };
}

interface RowParts {
  readonly name: string;
  readonly depth: number;
  readonly kind: Stood["kind"];
  readonly bytes: number | undefined;
  readonly open: boolean;
  readonly chosen: boolean;
  readonly differs: Difference | undefined;
}

/** Drawn anew only where it differs: most rows of two moments are alike. */
const Row = memo(({ name, depth, kind, bytes, open, chosen, differs }: RowParts) => {
  const Icon = kind === "dir" ? (open ? FolderOpen : Folder) : kind === "link" ? Link2 : File;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <span className={`tree-row ${chosen ? "chosen" : ""}`} style={{ paddingLeft: 10 + depth * 16 }}>
      {kind === "dir" ? <Chevron aria-hidden="true" size={13} className="faint" /> : <span className="tree-gap" />}
      <Icon aria-hidden="true" size={14} className={kind === "dir" ? "gold-text" : "soft"} />
      <span className="tree-name">{plain(name)}</span>
      {differs !== undefined && (
        <span className="tag gold">
          {differs}
          <span className="sr-only"> since</span>
        </span>
      )}
      {bytes !== undefined && <span className="faint tree-size">{size(bytes)}</span>}
    </span>
  );
});
