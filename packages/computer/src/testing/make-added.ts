import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What `["add", …]` brings in, made once for all worlds. */
export function makeAdded(folder: string): void {
  mkdirSync(join(folder, "empty"), { recursive: true });
  writeFileSync(join(folder, "run"), "#!/bin/sh\n");
  chmodSync(join(folder, "run"), 0o755);
  for (const one of [folder, join(folder, "empty")]) chmodSync(one, 0o755);
}
