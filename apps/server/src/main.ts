import { runCli } from "./cli/cli.ts";
import { processTerminal } from "./cli/terminal.ts";

process.umask(0o077); // what is made here is its owner's alone

process.exitCode = await runCli(process.argv.slice(2), process.env, processTerminal());
