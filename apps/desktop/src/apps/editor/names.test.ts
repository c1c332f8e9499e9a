import { expect, test } from "vitest";
import { shellPath } from "./names.ts";

test("EDIT-9: a file is named for a shell from the workspace on, where its lines run, as the shell takes it", () => {
  expect(shellPath("workspace/seed/big.txt")).toBe("seed/big.txt");
  expect(shellPath("artifacts/big.txt")).toBe("../artifacts/big.txt");
  expect(shellPath("workspace/it's big.txt")).toBe("'it'\\''s big.txt'");
  expect(shellPath("workspace/-n")).toBe("./-n");
});
