import { expect, test } from "vitest";
import { isFitForKeys } from "./base-url.ts";

test.each([
  ["https://api.example.org/v1", true],
  ["http://127.0.0.1:11434/v1", true],
  ["http://[::1]:8080", true],
  ["http://localhost:8080", true],
  ["http://localhost.example.org", false],
  ["http://127.0.0.1.example.org", false],
  ["http://192.168.1.7:8080", false],
  ["http://0x7f.1:80", true], // the same address, as addresses are written
  ["ftp://127.0.0.1.org", false],
  ["nonsense", false],
])("MODEL-53: a key may go to %s: %s", (url, may) => {
  expect(isFitForKeys(url)).toBe(may);
});
