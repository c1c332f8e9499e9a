import { describe } from "vitest";
import { appendSuite } from "./append.suite.ts";
import { contentsSuite } from "./contents.suite.ts";
import { manySuite } from "./many.suite.ts";
import { openingSuite } from "./opening.suite.ts";
import { packSuite } from "./pack.suite.ts";
import { readSuite } from "./read.suite.ts";
import { subscribeSuite } from "./subscribe.suite.ts";
import type { Engine } from "./testing/engine.ts";
import { verifySuite } from "./verify.suite.ts";

/** Every promise of SPEC.md that each engine must keep: the LOG and the CON rules. */
export function logSuite(engine: Engine): void {
  describe(engine.name, () => {
    appendSuite(engine);
    readSuite(engine);
    subscribeSuite(engine);
    openingSuite(engine);
    verifySuite(engine);
    contentsSuite(engine);
    manySuite(engine);
    packSuite(engine);
  });
}
