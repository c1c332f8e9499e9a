import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MAIN } from "../testing/choir-process.ts";

/**
 * Run on a small disk that nobody else sees, with the disk and the words that are choir. What was appended last lies in the
 * write-ahead log, as after a server that could not end well; then the disk is filled, and each command is asked.
 */
const SCRIPT = `
mount -t tmpfs -o size=6m choir "$0" || exit 9
choir() { "$@" --home "$DISK/home" --user ada 2>&1; echo "exit $?"; }
export DISK="$0"
node=$1 main=$2
echo one | choir $node $main write a
echo two | choir $node $main write a
$node -e '
  const fs = require("node:fs"), { DatabaseSync } = require("node:sqlite"), log = process.argv[1];
  const db = new DatabaseSync(log);
  db.exec("CREATE TABLE passing (x); DROP TABLE passing");
  for (const end of ["", "-wal"]) fs.copyFileSync(log + end, log + end + ".kept");
  db.close();
  for (const end of ["", "-wal"]) fs.renameSync(log + end + ".kept", log + end);
' "$DISK/home/users/ada/.choir/log.sqlite"
cat /dev/zero > "$DISK/ballast" 2>/dev/null
for words in verify doctor "doctor --salvage" events files "cat a" "write b"; do
  echo "== $words"
  echo three | choir $node $main $words
done
rm "$DISK/ballast"
echo "== after"
choir $node $main verify
`;

/** Mounts of its own take root, or a system that lets everybody have them. Where there is neither, the test can't be run. */
const MOUNTS = [["--mount"], ["--user", "--map-root-user", "--mount"]].find((how) => {
  return spawnSync("unshare", [...how, "sh", "-c", 'mount -t tmpfs choir "$0"', tmpdir()]).status === 0;
});

test.runIf(MOUNTS)("SQL-21: a full disk is told as that, never as damage, and log and contents are read on it", () => {
  const disk = mkdtempSync(join(tmpdir(), "choir-full-"));
  onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
  const args = [...(MOUNTS ?? []), "sh", "-c", SCRIPT, disk, process.execPath, MAIN];
  const cache = mkdtempSync(join(tmpdir(), "choir-cache-")); // ten processes, and each would read the source anew
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const run = spawnSync("unshare", args, { encoding: "utf8", env });
  const told = new Map(run.stdout.split(/^== /m).map((part) => [part.split("\n")[0] ?? "", part]));
  const full = /the disk is full: make room, and try again; nothing is lost/;
  for (const words of ["verify", "doctor", "doctor --salvage", "files", "cat a", "write b"]) {
    expect(told.get(words)).toMatch(full);
    expect(told.get(words)).toMatch(/exit 1\n$/);
    expect(told.get(words)).not.toMatch(/damaged|backup/);
  }
  expect(told.get("verify")).toMatch(/Log: 3 events, whole up to 3:(.|\n)*Contents: 2 named by the log, whole/);
  expect(told.get("events")).toMatch(/ 3 {2}.*file\.write(.|\n)*exit 0\n$/);
  expect(told.get("after")).toMatch(/^after\nLog: 3 events, whole(.|\n)*exit 0\n$/);
});
