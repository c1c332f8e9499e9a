import { afterAll, beforeAll } from "vitest";
import type { OpenPlace } from "./engine.ts";
import { type SqlitePlace, sqlitePlace } from "./sqlite-place.ts";

/** The disk's thread ends with the last store; starting it anew for each test would take longer than the tests. */
export function keepDiskThread(): void {
  let place: SqlitePlace | undefined;
  let store: OpenPlace | undefined;
  beforeAll(async () => {
    place = await sqlitePlace();
    const opening = await place.open({ mode: "write" });
    if (opening.ok) store = opening.store;
  });
  afterAll(async () => {
    await store?.close();
    await place?.remove();
  });
}
