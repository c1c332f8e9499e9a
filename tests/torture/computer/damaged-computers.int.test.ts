import { expect, test } from "vitest";
import { inTemporaryFolder } from "../folder.ts";
import { anySeed } from "../random.ts";
import { damageComputers } from "./damaged-computers.ts";

test("R3 (COMP-9, COMP-10): with a cut file or a flipped bit beside its log a computer never has a wrong state or file without a word, and a rebuild puts it right", {
  timeout: 5 * 60_000,
}, async () => {
  const seed = anySeed();
  const { found, later } = await inTemporaryFolder((folder) => damageComputers(folder, { seed, damages: 40 }));
  expect(found, `seed ${seed}: damages that were found`).toBeGreaterThan(8);
  expect(found + later, `seed ${seed}: damages that were found, or by verify`).toBeGreaterThan(12);
});
