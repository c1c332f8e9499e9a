import { SYSTEM_KEYS } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { FileLine } from "../desk/shapes.ts";
import { fileSize } from "../words.ts";
import { pictureIn } from "./picture.ts";
import { SYSTEM_FOLDER } from "./system-file.ts";

/** In bytes. */
export const MOST_PICTURE = 50_000_000;

/** Puts a picture behind the windows; what is none is told of, and changes nothing. Whether it was put there. */
export async function putWallpaper(api: DeskApi, { entry, key }: FileLine): Promise<boolean> {
  const fault = entry.kind === "file" ? await faultOf(api, key, entry.size) : "it is no file";
  if (fault !== undefined) {
    const name = key.slice(key.lastIndexOf("/") + 1);
    api.notify({ text: `${name} can't be the wallpaper: ${fault}.`, kind: "wrong" });
    return false;
  }
  const old = (await hasWallpaper(api)) ? [{ remove: { key: SYSTEM_KEYS.wallpaper } }] : [];
  const outcome = await api.files.arrange([...old, { copy: { from: key, to: SYSTEM_KEYS.wallpaper } }]);
  api.notifyDone("The wallpaper is set", outcome);
  return outcome.ok;
}

/** `false` where that was refused. */
export async function removeWallpaper(api: DeskApi): Promise<boolean> {
  if (!(await hasWallpaper(api))) {
    api.notify({ text: "There is no wallpaper of yours to remove." });
    return true;
  }
  const outcome = await api.files.arrange([{ remove: { key: SYSTEM_KEYS.wallpaper } }]);
  api.notifyDone("The wallpaper is removed", outcome);
  return outcome.ok;
}

async function hasWallpaper(api: DeskApi): Promise<boolean> {
  return (await api.files.list(SYSTEM_FOLDER)).some(({ key }) => key === SYSTEM_KEYS.wallpaper);
}

async function faultOf(api: DeskApi, key: string, size: number): Promise<string | undefined> {
  if (size > MOST_PICTURE) return `it is larger than ${fileSize(MOST_PICTURE)}`;
  const response = await api.files.read(key);
  if (response === undefined) return "it is gone";
  const picture = await pictureIn(response);
  if (!picture.ok) return picture.why;
  URL.revokeObjectURL(picture.value); // it was only looked at
  return undefined;
}
