import { z } from "zod";
import { count } from "../../words.ts";
import { shownWay } from "./keys.ts";

const TYPE = "application/x-choiros-keys";
const Keys = z.array(z.string());

/** Lets these be carried to any window; to a text they come as their names. */
export function carry(transfer: DataTransfer, keys: readonly string[]): void {
  transfer.setData(TYPE, JSON.stringify(keys));
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

export function isCarried({ types }: DataTransfer): boolean {
  return types.includes(TYPE);
}

export function carried(transfer: DataTransfer): readonly string[] {
  const text = transfer.getData(TYPE);
  return text === "" ? [] : (Keys.safeParse(JSON.parse(text)).data ?? []);
}
