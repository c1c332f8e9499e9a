import { type DragEvent, useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { carried, isCarried } from "./carried.ts";
import { cellAt } from "./icon-grid.ts";
import { isFromHost, uploadDropped } from "./upload.ts";

/** What is let go on the desktop: files of the host come in, what Files carries lies there then. */
export function useDrops(api: DeskApi) {
  const [isOver, setIsOver] = useState(false);
  useEffect(refuseStray, []);
  const props = {
    onDragOver(event: DragEvent) {
      if (event.defaultPrevented) return setIsOver(false); // an app takes it
      if (!isFromHost(event) && !isForDesktop(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setIsOver(isFromHost(event));
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
    },
    onDrop(event: DragEvent) {
      setIsOver(false);
      if (event.defaultPrevented || (!isFromHost(event) && !isForDesktop(event))) return;
      event.preventDefault();
      if (isFromHost(event)) return void uploadDropped(api, event.dataTransfer);
      const { left, top } = event.currentTarget.getBoundingClientRect();
      const at = cellAt({ x: event.clientX - left, y: event.clientY - top });
      void api.putOnDesktop(carried(event.dataTransfer), at);
    },
  };
  return { isOver, props };
}

/** On the desktop itself; a window has a use of its own for it, or none. */
function isForDesktop({ dataTransfer, target }: DragEvent): boolean {
  return isCarried(dataTransfer) && target instanceof Element && target.closest(".window, .toast") === null;
}

/** A file that nobody here takes would be opened by the browser, in a page of its own. */
function refuseStray(): () => void {
  const refuse = (event: globalThis.DragEvent) => {
    if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
  return () => {
    removeEventListener("dragover", refuse);
    removeEventListener("drop", refuse);
  };
}
