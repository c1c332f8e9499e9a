import { runCli } from "./cli/cli.ts";
import { processTerminal } from "./cli/terminal.ts";

process.exitCode = await runCli(process.argv.slice(2), process.env, processTerminal());
