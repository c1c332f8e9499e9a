import { openSandbox } from "../open-sandbox.ts";

/** A server that runs commands until it is killed: `root runDir marker upper work`. */
const [root = "", runDir = "", marker = "", upper = "", work = ""] = process.argv.slice(2);
const opened = await openSandbox({ root, runDir });
if (!opened.ok) throw new Error(opened.message);
const { sandbox } = opened;
const tree = `sleep ${marker} & (setsid sleep ${marker} &) ; (trap '' HUP TERM; sleep ${marker}) & echo up; sleep ${marker}`;
const running = await sandbox.run({ shell: tree, folder: { overlay: { upper, work } } });
const terminal = await sandbox.pty({ shell: tree, folder: "live", cols: 80, rows: 24, network: "terminals" });
for (const output of [running.stdout, terminal.output]) for await (const _ of output) break;
process.stdout.write("up\n");
setInterval(() => {}, 1_000_000);
