import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin, type Rolldown } from "vite";
import type { Measure, Place } from "./measure.ts";

const DESKTOP = join(import.meta.dirname, "..", "apps", "desktop");

/** What a browser has to fetch of JavaScript before the desktop is there; each app comes when it is opened. */
export const firstLoad: Measure = {
  id: "P11",
  title: "JavaScript of the desktop's first load, gzipped",
  unit: "KB",
  peer: "react and react-dom alone",
  better: "lower",
  floor: 4,
  aim: 2,
  rounds: 1,
  async run(round, place) {
    const chunks = await built({ configFile: join(DESKTOP, "vite.config.ts") });
    const peer = await built({ configFile: false, input: "alone.js", plugins: [alone] });
    const shell = firstOf(chunks);
    if (round === 0) sayWeights(chunks, shell, place);
    return { ours: weightOf(shell), peer: weightOf(firstOf(peer)) };
  },
};

const alone: Plugin = {
  name: "alone",
  resolveId: (id) => (id === "alone.js" ? join(DESKTOP, id) : undefined),
  load: (id) =>
    id === join(DESKTOP, "alone.js")
      ? 'import { createElement } from "react"; import { createRoot } from "react-dom/client"; createRoot(document.body).render(createElement("p"));'
      : undefined,
};

interface Wanted {
  readonly configFile: string | false;
  readonly input?: string;
  readonly plugins?: Plugin[];
}

async function built({ configFile, input, plugins = [] }: Wanted): Promise<Rolldown.OutputChunk[]> {
  const options = { write: false, ...(input !== undefined && { rolldownOptions: { input } }) };
  const outcome = await build({ root: DESKTOP, configFile, logLevel: "silent", plugins, build: options });
  const outputs = "output" in outcome ? [outcome] : Array.isArray(outcome) ? outcome : [];
  return outputs.flatMap(({ output }) => output).filter((one) => one.type === "chunk");
}

/** The entry, and all that it imports before it runs. */
function firstOf(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const entries = chunks.filter(({ isEntry }) => isEntry);
  return importsOf(chunks, entries);
}

/** These, and what they import, and what that imports. */
function importsOf(chunks: readonly Rolldown.OutputChunk[], of: readonly Rolldown.OutputChunk[]) {
  const all = new Set(of);
  for (const chunk of all) for (const other of chunks) if (chunk.imports.includes(other.fileName)) all.add(other);
  return [...all];
}

function weightOf(chunks: readonly Rolldown.OutputChunk[]): number {
  return chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;
}

/** What comes with the desktop, and what each app brings in addition when it is opened. */
function sayWeights(chunks: readonly Rolldown.OutputChunk[], shell: readonly Rolldown.OutputChunk[], { say }: Place) {
  say(`the shell: ${weightOf(shell).toFixed(1)} KB`);
  for (const chunk of chunks) {
    const [, app] = /apps\/([^/]+)\/app\.tsx$/.exec(chunk.facadeModuleId ?? "") ?? [];
    const more = importsOf(chunks, [chunk]).filter((one) => !shell.includes(one));
    if (app !== undefined) say(`${app}: ${weightOf(more).toFixed(1)} KB more`);
  }
}
