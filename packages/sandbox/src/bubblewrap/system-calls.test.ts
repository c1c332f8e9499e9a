import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowedCalls, compileCall, refusedCalls } from "../testing/call-probes.ts";
import { withSandbox } from "../testing/place.ts";
import { controlsOf, titleOf, withoutControl, worksInside } from "../testing/probe.ts";

const bin = mkdtempSync(join(tmpdir(), "choir probes, "));
const probes = [...refusedCalls, ...allowedCalls];
const controls = controlsOf(probes, { CALL: compileCall(bin) });
const titled = probes.map((probe, i) => ({ i, title: titleOf(probe, controls[i] ?? { works: true }) }));

let inside: Set<number>;

beforeAll(async () => {
  const mounts = [{ from: bin, to: "/opt/probes", write: false }];
  const options = { mounts, env: { CALL: "/opt/probes/call" } };
  inside = await withSandbox({}, (sandbox) => worksInside(sandbox, probes, options));
});

afterAll(() => rmSync(bin, { recursive: true }));

describe("S2, SBX-20: code inside can't call", () => {
  test.each(titled.slice(0, refusedCalls.length))("$title", ({ i }) => {
    expect(inside.has(i)).toBe(false);
  });
});

describe("SBX-20: code inside can call what programs need:", () => {
  test.each(titled.slice(refusedCalls.length))("$title", ({ i }) => {
    expect(inside.has(i)).toBe(true);
  });
});

test("S2, SBX-20: all of these calls are taken up where there is no sandbox, but for what the kernel hasn't got", () => {
  const none = withoutControl(probes, controls, "all");
  if (none.length > 0) process.stdout.write(`Without a control here:\n  ${none.join("\n  ")}\n`);
  expect(withoutControl(probes, controls, "lost")).toEqual([]);
});
