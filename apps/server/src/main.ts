import { runCli } from "./cli/cli.ts";
import { processTerminal } from "./cli/terminal.ts";

process.umask(0o077); // what is made here is its owner's alone

// Nothing that a command waits for need keep the process alive by itself: it would end in the middle of the wait, with 13.
const alive = setInterval(() => {}, 2 ** 31 - 1);
process.exitCode = await runCli(process.argv.slice(2), process.env, processTerminal());
clearInterval(alive);
