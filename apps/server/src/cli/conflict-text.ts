import { isPath, shownPath, shownPlace } from "@choiros/computer";
import type { Conflict } from "@choiros/gateway/operations";
import { entryText } from "./entry-text.ts";

/** A conflict with its three versions. */
export function conflictLines(conflict: Conflict): string[] {
  const { back, choices, key, known, left, now, why } = conflict;
  const only =
    choices.length === 1 ? [`  only ${choices[0] === "mine" ? "--keep-mine" : "--take-theirs"} can settle it`] : [];
  return [
    `${shownPlace(key)}: ${why}`,
    `  left there then:        ${entryText(left)}${knownText(known.left)}`,
    `  stands now (mine):      ${entryText(now)}${knownText(known.now)}`,
    `  would be back (theirs): ${entryText(back)}${knownText(known.back)}`,
    ...only,
  ];
}

export function conflictJson({ key, ...conflict }: Conflict) {
  return isPath(key) ? { path: shownPath(key), ...conflict } : { name: key, ...conflict };
}

export const HOW_TO_SETTLE =
  "Say what shall stand: --keep-mine for what stands now, --take-theirs for what would be back; for one path --keep-mine=PATH or --take-theirs=PATH.";

function knownText(known: Conflict["known"]["now"]): string {
  return known === undefined ? "" : `, by ${known.source} in event ${known.seq}, ${known.ts}`;
}
