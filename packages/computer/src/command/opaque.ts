import { spawn } from "node:child_process";
import { keyBytes } from "@choiros/contract";
import { LogError } from "@choiros/log";

/**
 * Which of these directories of an overlay's upper layer are `opaque`: made anew, so that nothing shows through of what
 * was there before. Only an extended attribute says so, which Node can't read; tar can, and is on every system.
 */
export async function opaqueAmong(upper: string, asked: readonly string[]): Promise<Set<string>> {
  const keys = asked.filter((key) => key.length * 4 < LONGEST || keyBytes(key).length < LONGEST);
  if (keys.length === 0) return new Set();
  const tar = spawn("tar", ARGUMENTS, {
    cwd: upper,
    stdio: ["pipe", "pipe", "pipe"],
    env: { LC_ALL: "C", PATH: process.env.PATH },
  });
  const failed = new Promise<never>((_, reject) => tar.on("error", reject));
  const input = Buffer.concat(keys.flatMap((key) => [Buffer.from("./"), Buffer.from(keyBytes(key)), NUL]));
  tar.stdin.on("error", () => {}); // it ended early, and its status tells why
  tar.stdin.end(input);
  const said = text(tar.stderr);
  const ended = new Promise<number | null>((resolve) => tar.on("close", resolve));
  const marks = await Promise.race([marksIn(tar.stdout), failed]);
  if ((await ended) !== 0 || marks.length !== keys.length) {
    throw new LogError("io", `tar could not read what a command left: ${await said}`);
  }
  return new Set(keys.filter((_, i) => marks[i]));
}

/** What the system takes as a path, less what stands before the key: the last two directories of a way are no more than merged. */
const LONGEST = 4_090;
const NUL = Buffer.from([0]);
const ARGUMENTS = [
  ...["--create", "--format=pax", "--xattrs", "--xattrs-include=*.overlay.opaque"],
  ...["--no-recursion", "--verbatim-files-from", "--null", "--files-from=-", "--file=-"],
];
const BLOCK = 512;

/** For each directory in the archive, in order, whether its attributes say so. */
async function marksIn(archive: AsyncIterable<Buffer>): Promise<boolean[]> {
  const bytes = Buffer.concat(await Array.fromAsync(archive));
  const marks: boolean[] = [];
  let opaque = false;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const type = String.fromCharCode(bytes[at + TYPE] ?? 0);
    if (type === "\0") break; // the empty blocks at its end
    const size = Number.parseInt(bytes.toString("latin1", at + SIZE, at + SIZE + 12), 8);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (type === "x") opaque = records(content.toString("latin1")).includes(OPAQUE);
    else if (type === "5") {
      marks.push(opaque);
      opaque = false;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return marks;
}

const SIZE = 124;
const TYPE = 156;
/** A command may set the other one itself, and mean nothing by it: root's overlays don't heed it, nor other users' this. */
const NAMESPACE = process.getuid?.() === 0 ? "trusted" : "user";
const OPAQUE = `SCHILY.xattr.${NAMESPACE}.overlay.opaque=y`;

/** By their lengths: a name may hold anything, also what looks like a record. */
function records(header: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < header.length; ) {
    const space = header.indexOf(" ", at);
    const length = Number(header.slice(at, space));
    if (space === -1 || !(length > 0)) break;
    found.push(header.slice(space + 1, at + length - 1));
    at += length;
  }
  return found;
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream))
    .toString("utf8")
    .trim();
}
