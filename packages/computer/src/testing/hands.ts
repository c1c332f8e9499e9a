import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { keyBytes } from "@choiros/contract";

/** What anybody can do to a folder. */
export interface Hands {
  write(key: string, text: string): void;
  remove(key: string): void;
  rename(from: string, to: string): void;
  chmod(key: string, mode: number): void;
  link(key: string, target: string): void;
  mkdir(key: string): void;
}

/** At once, on the disk. */
export function diskHands(root: string): Hands {
  const path = (key: string) => Buffer.concat([Buffer.from(`${root}/`), keyBytes(key)]);
  return {
    write: (key, text) => writeFileSync(path(key), text),
    remove: (key) => rmSync(path(key), { recursive: true }),
    rename: (from, to) => renameSync(path(from), path(to)),
    chmod: (key, mode) => chmodSync(path(key), mode),
    link: (key, target) => symlinkSync(target, path(key)),
    mkdir: (key) => void mkdirSync(path(key)),
  };
}

/** As the lines of a shell's script, to be run in the computer's root. */
export class ShellHands implements Hands {
  readonly lines: string[] = [];

  write(key: string, text: string): void {
    this.lines.push(`printf '${octal(Buffer.from(text))}' > ${word(key)}`);
  }

  remove(key: string): void {
    this.lines.push(`rm -rf ${word(key)}`);
  }

  /** `mv` refuses to put a link over what it leads to, and a directory of a lower layer can only be moved by `mv`. */
  rename(from: string, to: string): void {
    const both = `${word(from)} ${word(to)}`;
    this.lines.push(`perl -e 'exit !rename $ARGV[0], $ARGV[1]' ${both} || mv -T ${both}`);
  }

  chmod(key: string, mode: number): void {
    this.lines.push(`chmod ${mode.toString(8)} ${word(key)}`);
  }

  link(key: string, target: string): void {
    this.lines.push(`ln -s '${target}' ${word(key)}`);
  }

  mkdir(key: string): void {
    this.lines.push(`mkdir ${word(key)}`);
  }
}

/** Whatever bytes it has. */
function word(key: string): string {
  return `"$(printf '${octal(keyBytes(key))}')"`;
}

function octal(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
