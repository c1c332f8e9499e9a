import { readFile, rm } from "node:fs/promises";
import type { z } from "zod";
import { writeWhole } from "../toml/write-whole.ts";
import { SecretsError } from "./secrets-error.ts";

/** A file of entries by name. Each change reads it again: another process may have written it. */
export class SecretFile<Entries extends Record<string, unknown>> {
  readonly #file: string;
  readonly #schema: z.ZodType<Entries>;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(file: string, schema: z.ZodType<Entries>) {
    this.#file = file;
    this.#schema = schema;
  }

  async read(): Promise<Entries | undefined> {
    const text = await readFile(this.#file, "utf8").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    try {
      return this.#schema.parse(JSON.parse(text));
    } catch {
      // the cause would quote the file
      throw new SecretsError(`${this.#file} isn't what was written there. Remove it, and connect the providers again.`);
    }
  }

  /** One change after the other; `undefined` removes the file. */
  change(next: (entries: Entries | undefined) => Promise<Entries | undefined>): Promise<void> {
    const changed = this.#turn.then(async () => {
      const before = await this.read();
      const after = await next(before);
      if (after !== undefined) await writeWhole(this.#file, `${JSON.stringify(after, null, 2)}\n`);
      else if (before !== undefined) await rm(this.#file, { force: true });
    });
    this.#turn = changed.catch(() => undefined);
    return changed;
  }
}
