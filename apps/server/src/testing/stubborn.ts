import { processTerminal } from "../cli/terminal.ts";

/** A process that goes on after Ctrl-C, and says so once a second one can't be taken for the first. */
setInterval(() => {}, 1000);
const { signal } = processTerminal();
signal.addEventListener("abort", () => setTimeout(() => process.stdout.write("still here\n"), 400));
process.stdout.write("up\n");
