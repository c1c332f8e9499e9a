import { closeSync, readFileSync } from "node:fs";
import type { Found } from "./look.ts";

/** Larger than this, it is no list of rules. */
const MAX_RULES_BYTES = 1_048_576;

/** The text of the rules that stand where they are looked for; none where there is something else. */
export function rulesIn(found: Found): string {
  if (found.is === "entry" && found.entry.kind === "file") return String(Buffer.from(found.bytes ?? []));
  if (found.is !== "large") return "";
  try {
    return found.stat.size > MAX_RULES_BYTES ? "" : readFileSync(found.fd, "utf8");
  } finally {
    closeSync(found.fd);
  }
}
