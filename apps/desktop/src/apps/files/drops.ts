import { type DragEvent, useState } from "react";
import { carried, isCarried } from "../../shell/carried.ts";
import { isFromHost } from "../../shell/upload.ts";
import { fromDrop, type Incoming } from "./incoming.ts";
import type { Verb } from "./placing.ts";

interface DropParts {
  onKeys(verb: Verb, keys: readonly string[], to: string): void;
  onHost(incoming: Promise<readonly Incoming[]>, to: string): void;
}

/** Folders that something can be dropped on: from this window, another one, or the host. `target` is the one under the pointer. */
export function useDrops({ onKeys, onHost }: DropParts) {
  const [target, setTarget] = useState<string>();
  /** `folderAt` says which folder it would get into there. */
  const dropProps = (folderAt: (event: DragEvent) => string | undefined) => ({
    onDragOver(event: DragEvent) {
      if (!isFromHost(event) && !isCarried(event.dataTransfer)) return;
      const to = folderAt(event);
      setTarget(to);
      if (to === undefined) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = isFromHost(event) || copies(event) ? "copy" : "move";
    },
    onDragLeave(event: DragEvent) {
      if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return;
      setTarget(undefined);
    },
    onDrop(event: DragEvent) {
      setTarget(undefined);
      const to = folderAt(event);
      if (to === undefined) return;
      event.preventDefault();
      if (isFromHost(event)) return onHost(fromDrop(event.dataTransfer), to);
      const keys = carried(event.dataTransfer);
      if (!keys.includes(to)) onKeys(copies(event) ? "copy" : "move", keys, to);
    },
  });
  return { target, dropProps };
}

function copies({ ctrlKey, altKey }: DragEvent): boolean {
  return ctrlKey || altKey;
}
