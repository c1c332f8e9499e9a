import type { Draft } from "@choiros/contract";
import { LogError } from "../log-error.ts";
import { openStore } from "../sqlite/open-store.ts";

/**
 * A store in a process of its own, for tests that need a second one, or one that can be killed. It says how opening went;
 * a writer then does as it is told, a reader says which events it sees.
 */
const [dir = "", mode, who = "another"] = process.argv.slice(2);
const say = (answer: object) => process.send?.(answer);

const opened = await openStore({
  dir,
  userId: "ada",
  mode: mode === "read" ? "read" : "write",
  create: mode === "write",
  who,
});
say(opened.ok ? { ok: true } : opened);
if (!opened.ok) {
  process.disconnect?.();
} else if (mode === "read") {
  for await (const { seq, hash } of opened.store.log.subscribe()) say({ seq, hash });
} else {
  const { store } = opened;
  const append = async (number: number, draft: Draft) => {
    try {
      say({ number, appended: await store.log.append(draft) });
    } catch (error) {
      say({ number, failed: { code: error instanceof LogError ? error.code : String(error) } });
    }
  };
  process.on("message", async (order: { number: number; draft?: Draft }) => {
    if (order.draft !== undefined) return append(order.number, order.draft);
    await store.close();
    process.disconnect?.();
  });
}
