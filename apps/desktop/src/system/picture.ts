import type { Recognised } from "@choiros/contract";

/** The address of a picture, once the browser has seen that it is one. */
export async function pictureIn(response: Response): Promise<Recognised<string>> {
  const url = URL.createObjectURL(await response.blob());
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return { ok: true, value: url };
  } catch {
    URL.revokeObjectURL(url);
    return { ok: false, why: "it is no picture that this browser can show" };
  }
}
