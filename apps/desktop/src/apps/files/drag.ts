import { CARRIED } from "../../shell/carried.ts";
import { count } from "../../words.ts";
import { shownWay } from "./keys.ts";

/** Lets these be carried to any window, the bar and the desktop; to a text they come as their names. */
export function carry(transfer: DataTransfer, keys: readonly string[]): void {
  transfer.setData(CARRIED, JSON.stringify(keys));
  transfer.setData("text/plain", keys.map(shownWay).join("\n"));
  transfer.effectAllowed = "copyMove";
  if (keys.length < 2) return;
  const image = document.createElement("div");
  image.className = "files-carried";
  image.textContent = count(keys.length, "item");
  document.body.append(image);
  transfer.setDragImage(image, -8, -8);
  setTimeout(() => image.remove());
}
