import { describe, test } from "vitest";
import { serverEndSuite } from "./server-end.suite.ts";

describe("bubblewrap", () => {
  test.each(serverEndSuite)("$name", ({ run }) => run("bubblewrap"));
});
