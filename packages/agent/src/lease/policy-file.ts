import { hash } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newId } from "@choiros/contract";
import type { Need } from "./lease.ts";
import { DEFAULT_POLICY } from "./policy.ts";
import { firstPolicyText, type ReadPolicy, readPolicyText, withAlways } from "./policy-text.ts";

/** The policy of a server, `{home}/policy.toml`: read each time it is asked for, so that a change holds at once. */
export interface PolicyFile {
  readonly file: string;
  /** Where it is wrong, nothing is allowed until it is mended; `message` names the file and the line. */
  read(): Promise<ReadPolicy>;
  /** As it stands in the file, or, where nothing does, as it would to begin with: that is what holds then. */
  text(): Promise<string>;
  /** Puts another text in the place of the one that was read, unless that is wrong, or isn't what stands there by now. */
  write(text: string, was: PolicyVersion): Promise<ReadPolicy | StalePolicy>;
  /** Adds what the user has allowed for good. Where the file is wrong, nothing is added. */
  allowAlways(needs: readonly Need[]): Promise<ReadPolicy>;
}

/** Which text was read: what is written goes over that one and no other. */
export type PolicyVersion = string;

export interface StalePolicy {
  readonly ok: false;
  readonly stale: true;
  readonly message: string;
}

export function policyVersion(text: string): PolicyVersion {
  return hash("sha256", text);
}

/** Where nothing is said, the defaults hold. */
export function policyTextOf(written: string): string {
  return written.trim() === "" ? firstPolicyText() : written;
}

export function openPolicy(home: string): PolicyFile {
  return new TomlPolicy(join(home, "policy.toml"));
}

class TomlPolicy implements PolicyFile {
  readonly file: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.file = file;
  }

  async read(): Promise<ReadPolicy> {
    const text = await this.#text();
    return text === undefined ? { ok: true, policy: DEFAULT_POLICY } : this.#named(readPolicyText(text));
  }

  async text(): Promise<string> {
    return policyTextOf((await this.#text()) ?? "");
  }

  write(text: string, was: PolicyVersion): Promise<ReadPolicy | StalePolicy> {
    return this.#inTurn(async () => {
      if (policyVersion(await this.text()) === was) return this.#replace(text);
      return { ok: false, stale: true, message: `${this.file} was changed meanwhile: read it again` };
    });
  }

  allowAlways(needs: readonly Need[]): Promise<ReadPolicy> {
    return this.#inTurn(async () => {
      const now = await this.read();
      if (!now.ok) return now;
      const missing = [...new Set(needs)].filter((need) => !now.policy.always.includes(need));
      return missing.length === 0 ? now : this.#replace(withAlways((await this.#text()) ?? firstPolicyText(), missing));
    });
  }

  async #text(): Promise<string | undefined> {
    try {
      return await readFile(this.file, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Whole and on the disk before it has its name. */
  async #replace(text: string): Promise<ReadPolicy> {
    const read = this.#named(readPolicyText(text));
    if (!read.ok) return read;
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const beside = `${this.file}.${newId()}`;
    try {
      const file = await open(beside, "wx", 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, this.file);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    return read;
  }

  #named(read: ReadPolicy): ReadPolicy {
    if (read.ok) return read;
    const place = read.line === undefined ? this.file : `${this.file}:${read.line}`;
    return { ...read, message: `${place}: ${read.message}` };
  }

  /** Two that add at once would each put the other's line away. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {}); // whoever asked for it is told
    return turn;
  }
}
