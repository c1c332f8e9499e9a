import { defineConfig, type Plugin, type Rolldown } from "vite";

/** Nothing inline that runs or is drawn, not even a small font: the page's policy forbids it. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: "error",
  plugins: [codeList()],
  build: {
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    outDir: "../../.build/pages/desktop",
  },
});

/** Tells the page which files each app is made of, as data in it, beyond those that the page begins with. */
function codeList(): Plugin {
  return {
    name: "code-list",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {}, chunk: page }) {
        if (page === undefined) throw new Error("the desktop's page has no script");
        const there = filesOf(page, bundle);
        const list = Object.values(bundle).flatMap((chunk) => {
          const [, app] =
            /\/apps\/([^/]+)\/app\.tsx$/.exec("facadeModuleId" in chunk ? (chunk.facadeModuleId ?? "") : "") ?? [];
          if (app === undefined || chunk.type !== "chunk") return [];
          return [
            [app, [...filesOf(chunk, bundle)].filter((file) => !there.has(file)).map((file) => `/${file}`)] as const,
          ];
        });
        const children = JSON.stringify(Object.fromEntries(list));
        return [{ tag: "script", attrs: { type: "application/json", id: "code" }, children, injectTo: "head" }];
      },
    },
  };
}

function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === "chunk") filesOf(imported, bundle, found);
  }
  return found;
}
