import { AREAS, checkKey } from "@choiros/computer";
import { Path, pathFromKey, pathKey } from "@choiros/contract";
import { z } from "zod";

/** A key as it comes in: judged by its spelling alone, before anything is looked up by it. */
export const AskedKey = z
  .string()
  .min(1)
  .max(20_000)
  .refine(
    isSpelledWell,
    "is no key: it has an empty part, '.', '..' or NUL, or is spelled in another way than keys are",
  );

/** Where a command begins: an area, or something in one, by a name that is text. */
export const AskedFolder = AskedKey.refine(
  (key) => !key.includes("//") && (AREAS.some((area) => area === key) || checkKey(key) === undefined),
  `is nowhere in ${AREAS.join(", ")}`,
);

function isSpelledWell(key: string): boolean {
  const path = pathFromKey(key);
  return Path.safeParse(path).success && pathKey(path) === key;
}
