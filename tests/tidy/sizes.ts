import { type Check, finding, isCode, isTest } from "./tree.ts";

const MAX_LINES = 300;
const MAX_TEST_LINES = 500;

/** A file can be read in one go. Tests are lists, and may be longer. */
export const sizes: Check = (tree) =>
  [...tree].flatMap(([file, text]) => {
    if (!isCode(file, text)) return [];
    const most = isTest(file) || file.startsWith("tests/") ? MAX_TEST_LINES : MAX_LINES;
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return lines > most
      ? [finding("sizes", file, `has ${lines} lines, over ${most}: split it by what it is about`)]
      : [];
  });
