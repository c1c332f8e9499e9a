import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Home } from "../home.ts";
import { AgentsHouse } from "./house.ts";
import { stewardOf } from "./steward.ts";

const folder = mkdtempSync(join(tmpdir(), "choir-steward-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("MODEL-51: a key is not taken along to another address than it was given for", async () => {
  const env = { ANTHROPIC_API_KEY: "sk-environment-0001" };
  const steward = stewardOf(new AgentsHouse(new Home(folder), env));
  const openai = { id: "work", kind: "openai-compatible" as const, base_url: "https://models.example/v1" };
  expect(await steward.connect({ ...openai, key: "sk-secret-0002" })).toEqual({ ok: true });
  expect(await steward.connect({ ...openai, base_url: "https://models.example/v1/" })).toEqual({ ok: true });
  const refused = { ok: false, message: expect.stringContaining("The key was given for another address") };
  expect(await steward.connect({ ...openai, base_url: "https://elsewhere.example/v1" })).toEqual(refused);
  const anthropic = { id: "anthropic", kind: "anthropic" as const };
  expect(await steward.connect({ ...anthropic, base_url: "https://elsewhere.example" })).toEqual(refused);
  expect(await steward.connect(anthropic)).toEqual({ ok: true });
  const { connected } = await steward.models();
  expect(connected.map(({ base_url, id, key_end }) => ({ base_url, id, key_end }))).toEqual([
    { base_url: "https://models.example/v1", id: "work", key_end: "0002" },
    { base_url: undefined, id: "anthropic", key_end: "0001" },
  ]);
  expect(await steward.disconnect("work")).toEqual({ ok: true });
  expect(await steward.connect({ ...openai, base_url: "http://127.0.0.1:9/v1" })).toEqual({ ok: true });
});
