import { openStore } from "../sqlite/open-store.ts";
import { removeUnnamed, unnamedContents } from "../unnamed-contents.ts";

/** Removes what no event names, in a process that can be killed: it says so when it is about to begin. */
const opened = await openStore({ dir: process.argv[2] ?? "", userId: "ada", mode: "write" });
if (!opened.ok) throw new Error(opened.message);
const { log, contents, close } = opened.store;
const found = await unnamedContents(log, contents);
if (!found.ok) throw new Error(found.message);
process.send?.("begins");
await removeUnnamed(contents, found.unnamed);
await close();
process.disconnect?.();
