import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for comes when it comes: a second is short on a busy machine, and a test's own time ends it, too.
    expect: { poll: { timeout: 25_000 } },
    // Most of a test's time is spent waiting for servers, sandboxes and the browser: every core takes a file, none is left idle.
    maxWorkers: "100%",
  },
});
