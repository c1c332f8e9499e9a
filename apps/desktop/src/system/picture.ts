import type { Recognised } from "@choiros/contract";

const SVG = "image/svg+xml";

/**
 * The address of a picture, once the browser has seen that it is one. Its bytes say what it is, and not its name, which the
 * wallpaper hasn't: only an SVG has to be called one, and is tried as that last. As a picture it runs nothing, and loads nothing.
 */
export async function pictureIn(response: Response): Promise<Recognised<string>> {
  const bytes = await response.blob();
  const url = (await shownAs(bytes.slice())) ?? (await shownAs(new Blob([bytes], { type: SVG })));
  return url === undefined
    ? { ok: false, why: "it is no picture that this browser can show" }
    : { ok: true, value: url };
}

async function shownAs(bytes: Blob): Promise<string | undefined> {
  const url = URL.createObjectURL(bytes);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return url;
  } catch {
    URL.revokeObjectURL(url);
    return undefined;
  }
}
