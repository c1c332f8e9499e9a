import { expect, test } from "vitest";
import { retryAfterOf } from "./retry-after.ts";

const NOW = Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "1.5" }, 1_500],
  [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
  [{ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 21 Oct 2026 07:27:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-3" }, undefined],
  [{}, undefined],
])("MODEL-8: %j is a wait of %s ms", (headers, ms) => {
  expect(retryAfterOf(headers, NOW)).toEqual(ms);
});
