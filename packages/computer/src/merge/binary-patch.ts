import { hash } from "node:crypto";
import { deflateSync } from "node:zlib";

/**
 * The change of what isn't text as git writes it, there and back, so that `git apply` takes it; `null` where there is no
 * file. Git wants to know the whole name that it would give to either side.
 */
export function binaryPatch(before: Uint8Array | null, after: Uint8Array | null): string {
  const patch = `GIT binary patch\n${literal(after ?? NOTHING)}\n${literal(before ?? NOTHING)}\n`;
  return `index ${blobName(before)}..${blobName(after)}\n${patch}`;
}

const NOTHING = new Uint8Array();

function blobName(bytes: Uint8Array | null): string {
  if (bytes === null) return "0".repeat(40);
  return hash("sha1", Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]));
}

/** So many bytes are in a line, whose first letter says how many: A to Z, then a to z. */
const LINE_BYTES = 52;
const LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function literal(bytes: Uint8Array): string {
  const packed = deflateSync(bytes);
  const lines = [`literal ${bytes.length}\n`];
  for (let at = 0; at < packed.length; at += LINE_BYTES) {
    const line = packed.subarray(at, at + LINE_BYTES);
    lines.push(`${LENGTHS[line.length - 1]}${base85(line)}\n`);
  }
  return lines.join("");
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/** Four bytes in five letters, the last ones filled up with zeros. */
function base85(bytes: Buffer): string {
  const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  let text = "";
  for (let at = 0; at < whole.length; at += 4) {
    let number = whole.readUInt32BE(at);
    let letters = "";
    for (let i = 0; i < 5; i++) {
      letters = `${DIGITS[number % 85]}${letters}`;
      number = Math.floor(number / 85);
    }
    text += letters;
  }
  return text;
}
