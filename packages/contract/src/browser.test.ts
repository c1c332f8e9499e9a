import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, sep } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { beforeAll, describe, expect, test } from "vitest";

const SOURCE = import.meta.dirname;

/** What the contract may lean on, beside the language itself: every browser and every Node has these. */
const WEB = { URL, TextDecoder, TextEncoder, atob, btoa, crypto };

let bundle: Rolldown.OutputChunk;
beforeAll(async () => {
  bundle = await bundled();
});

describe("the contract, bundled for a browser", () => {
  test("is made of its own files and of zod, and of nothing of Node's", () => {
    const files = Object.keys(bundle.modules).filter((id) => !id.startsWith("\0"));
    const foreign = files.filter(
      (id) =>
        ![SOURCE, join(SOURCE, "bar"), join(SOURCE, "lines")].includes(dirname(id)) &&
        !id.includes(`${sep}node_modules${sep}zod${sep}`),
    );
    expect(files).toContain(join(SOURCE, "envelope.ts"));
    expect(foreign).toEqual([]);
    expect([...bundle.imports, ...bundle.dynamicImports]).toEqual([]);
    expect(bundle.code).not.toContain("__vite-browser-external");
    for (const name of builtinModules) {
      expect(bundle.code).not.toMatch(new RegExp(`(?:require|import)\\(\\s*["'\`](?:node:)?${name}["'\`]`));
    }
  });

  test("weighs less than a picture", () => {
    expect(gzipSync(bundle.code).length).toBeLessThan(200_000);
  });

  test("runs with no process, no require and no eval, as it does under a strict content security policy", () => {
    const context = createContext({ ...WEB }, { codeGeneration: { strings: false, wasm: false } });
    runInContext(bundle.code, context);
    const run = (code: string): unknown => JSON.parse(String(runInContext(`JSON.stringify(${code})`, context)));

    expect(run("[typeof process, typeof require, typeof Buffer]")).toEqual(["undefined", "undefined", "undefined"]);
    expect(() => runInContext("new Function('return 1')()", context)).toThrow();
    expect(run("contract.newId()")).toMatch(/^[0-9a-z]{26}$/);
    expect(run("contract.parseSubject('choiros.ada.user.FILE_WRITE')")).toEqual({
      user_id: "ada",
      source: "user",
      type: "file.write",
    });
    expect(run("contract.parseDraft({ source: 'user', type: 'message', payload: { text: 'hi' } })")).toEqual({
      ok: true,
      value: { source: "user", type: "message", payload: { text: "hi" } },
    });
    expect(run("contract.Path.safeParse(contract.pathFromBytes(Uint8Array.of(255))).data")).toEqual({ b64: "/w==" });
  });

  test("makes the same bodies as in Node", () => {
    const context = createContext({ ...WEB });
    runInContext(bundle.code, context);
    const vectors: unknown = JSON.parse(readFileSync(join(SOURCE, "../vectors/chain.json"), "utf8"));
    const same = `(${JSON.stringify(JSON.stringify(vectors))})`;
    const code = `JSON.parse${same}.events.map((vector) => contract.body(vector.event) === vector.body)`;
    const results: unknown = JSON.parse(String(runInContext(`JSON.stringify(${code})`, context)));
    expect(results).toEqual(Array(8).fill(true));
  });
});

/** As one script that leaves a global named `contract` behind, in memory. */
async function bundled(): Promise<Rolldown.OutputChunk> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: SOURCE,
    build: {
      lib: { entry: join(SOURCE, "index.ts"), formats: ["iife"], name: "contract" },
      write: false,
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
  const [chunk, ...others] = outputs;
  if (chunk?.type !== "chunk" || others.length > 0) throw new Error("the bundle is not one script");
  return chunk;
}
