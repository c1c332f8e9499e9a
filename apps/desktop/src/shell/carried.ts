import { z } from "zod";

/** As what the keys of files are carried, from whatever shows them to wherever they are let go. */
export const CARRIED = "application/x-choiros-keys";
const Keys = z.array(z.string());

export function isCarried({ types }: DataTransfer): boolean {
  return types.includes(CARRIED);
}

export function carried(transfer: DataTransfer): readonly string[] {
  const text = transfer.getData(CARRIED);
  return text === "" ? [] : (Keys.safeParse(JSON.parse(text)).data ?? []);
}
