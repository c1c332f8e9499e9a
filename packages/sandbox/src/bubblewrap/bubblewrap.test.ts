import { describe, test } from "vitest";
import { runSuite } from "../run.suite.ts";
import { terminalSuite } from "../terminal.suite.ts";
import { limitsSuite } from "./limits.suite.ts";
import { networkSuite } from "./network.suite.ts";
import { overlaySuite } from "./overlay.suite.ts";
import { terminalsSuite } from "./terminals.suite.ts";

describe("bubblewrap", () => {
  test.each([...runSuite, ...terminalSuite, ...terminalsSuite, ...overlaySuite, ...networkSuite])("$name", ({ run }) =>
    run("bubblewrap"),
  );
});

describe("S9: what would eat the machine is stopped, and its limit named", () => {
  test.each(limitsSuite)("$name", ({ run }) => run("bubblewrap"));
});
