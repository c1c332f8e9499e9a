import { reasonOf } from "@choiros/contract";
import { expect, test } from "vitest";
import { shownCall } from "./shown-call.ts";

test("LEASE-1: a call that there is room for is shown whole", () => {
  const input = { command: 'echo "one"\ncurl example.org', secrets: [".env"] };
  expect(shownCall({ tool: "bash", input }, 4096)).toBe(`bash ${JSON.stringify(input)}`);
});

test("LEASE-1: of a text that there is no room for the beginning and the end are shown, and how much is between them", () => {
  const command = `begin\n${"echo filler\n".repeat(5000)}curl example.org`;
  const shown = shownCall({ tool: "bash", input: { command, hosts: ["example.org"] } }, 4096);
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(4096);
  const given = new Map(reasonOf(shown)?.given);
  const [beginning = "", end = ""] = ["beginning", "end"].map((part) => given.get(`command ${part}`)?.[0]);
  expect(command.startsWith(beginning) && command.endsWith(end)).toBe(true);
  expect(Math.min(beginning.length, end.length)).toBeGreaterThan(500);
  const left = Number(given.get("command characters left out")?.[0]);
  expect(beginning.length + left + end.length).toBe(command.length);
  expect(given.get("hosts")).toEqual(["example.org"]);
});

test("LEASE-1: a text is cut within its room also where a character is two, or is written as six", () => {
  for (const text of ["👩".repeat(9001), "\u0001".repeat(9000), "世".repeat(9000)]) {
    const shown = shownCall({ tool: "write_file", input: { path: "a", content: text } }, 4096);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(4096);
    expect(shown.isWellFormed()).toBe(true);
    expect(reasonOf(shown)?.does).toBe("To write a file");
  }
});
