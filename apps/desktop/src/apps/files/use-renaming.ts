import { useLayoutEffect, useRef, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { FolderView } from "./folder-view.ts";
import { cutName } from "./keys.ts";

interface Seen {
  readonly key: string;
  readonly view: FolderView;
}

/**
 * Which file gets another name, in a folder with these. One that is yet to come is waited for; one that was there and went
 * is named no more, and that is said: else its field would be there again when something of that name is.
 */
export function useRenaming(desk: DeskApi, view: FolderView, order: readonly string[]) {
  const [renaming, setRenaming] = useState<string>();
  const seen = useRef<Seen>(undefined);
  useLayoutEffect(() => {
    const before = seen.current;
    seen.current = undefined;
    if (renaming === undefined) return;
    if (order.includes(renaming)) seen.current = { key: renaming, view };
    else if (before?.key === renaming) {
      setRenaming(undefined);
      if (before.view === view)
        desk.notify({ text: `${cutName(renaming)} went away while it was being renamed.`, kind: "wrong" });
    }
  }, [desk, view, order, renaming]);
  return [renaming, setRenaming] as const;
}
