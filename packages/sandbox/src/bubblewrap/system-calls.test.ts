import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowedCalls, compileCall, refusedCalls } from "../testing/call-probes.ts";
import { withSandbox } from "../testing/place.ts";
import { isRoot, titleOf, worksInside, worksOutside } from "../testing/probe.ts";

const bin = mkdtempSync(join(tmpdir(), "choir probes, "));
const probes = [...refusedCalls, ...allowedCalls];
const outside = worksOutside(probes, { CALL: compileCall(bin) });
const titled = probes.map((probe, i) => ({ i, title: titleOf(probe, outside.has(i)) }));

let inside: Set<number>;

beforeAll(async () => {
  const mounts = [{ from: bin, to: "/opt/probes", write: false }];
  const options = { mounts, env: { CALL: "/opt/probes/call" } };
  inside = await withSandbox({}, (sandbox) => worksInside(sandbox, probes, options));
});

afterAll(() => rmSync(bin, { recursive: true }));

describe("SBX-20: code inside can't call", () => {
  test.each(titled.slice(0, refusedCalls.length))("$title", ({ i }) => {
    expect(inside.has(i)).toBe(false);
  });
});

describe("SBX-20: code inside can call what programs need:", () => {
  test.each(titled.slice(refusedCalls.length))("$title", ({ i }) => {
    expect(inside.has(i)).toBe(true);
  });
});

test.runIf(isRoot)("SBX-20: nearly all of these calls are taken up by the kernel where there is no sandbox", () => {
  const without = titled.filter(({ i }) => !outside.has(i)).map(({ title }) => title);
  expect(without.length, without.join("\n")).toBeLessThan(25);
});
