import fc from "fast-check";
import { expect, test } from "vitest";
import { fairShare } from "./fair-share.ts";

test("AGENT-17: who needs little has all of it, and the others share what is left", () => {
  expect(fairShare([10, 20, 100, 100], 130)).toBe(50);
  expect(fairShare([10, 20], 1000)).toBeGreaterThanOrEqual(20);
  expect(fairShare([], 10)).toBe(10);
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1 }), fc.nat(20_000), (sizes, room) => {
      const share = fairShare(sizes, room);
      const given = sizes.reduce((sum, size) => sum + Math.min(size, share), 0);
      expect(given).toBeLessThanOrEqual(room);
      const wanted = sizes.reduce((sum, size) => sum + size, 0);
      if (wanted <= room) expect(given).toBe(wanted);
      else expect(given).toBeGreaterThan(room - sizes.length);
    }),
  );
});
