import { defineConfig } from "vite";

/** Nothing inline, not even a small font: the page's policy forbids it. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: "error",
  build: {
    assetsInlineLimit: 0,
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    outDir: "../../.build/pages/console",
  },
});
