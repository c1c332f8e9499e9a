import { hash as digest } from "node:crypto";
import type { Sha256 } from "@choiros/contract";
import type { Packed, Version } from "../contents.ts";
import { LogError } from "../log-error.ts";
import type { ContentChange, KeptContent } from "./contents-file.ts";
import { FORM } from "./schema.ts";
import { compressed, expanded } from "./zstd.ts";

/** What packing needs of the contents around it. */
export interface PackingParts {
  kept(hash: Sha256, bytes: boolean): Promise<KeptContent | undefined>;
  change(change: ContentChange): Promise<boolean>;
}

/** So many share a commit. */
const SLICE = 16;

/** A difference must be this much smaller than what it replaces, for reading it takes two contents. */
const DIFFERENCE_PAYS = 0.7;
const PAYS = 0.9;

type SmallChange = Extract<ContentChange, { kind: "pack" }>;

/**
 * Of small contents: large ones are as small as they get once they are put. Older lean on newer ones, so that the newest, which is read most, stands by itself. All the computing is done
 * on the thread pool, with bytes that were read and checked; the disk's thread decides whether the result still fits.
 */
export class Packing {
  readonly #parts: PackingParts;

  constructor(parts: PackingParts) {
    this.#parts = parts;
  }

  async slice(versions: readonly Version[]): Promise<Packed> {
    const slice = versions.slice(0, SLICE);
    // Those that lean on another one first: what is left then stands by itself.
    const saved = [
      ...(await Promise.all(slice.map((version) => this.#packFormer(version)))),
      ...(await Promise.all(slice.map(({ hash }) => this.#packAlone(hash)))),
    ];
    return { done: slice.length, saved: saved.reduce((sum, bytes) => sum + bytes, 0) };
  }

  async #packFormer({ hash, former }: Version): Promise<number> {
    if (former === undefined || former === hash) return 0;
    const base = await this.#bytesOf(hash);
    return base === undefined ? 0 : this.#packAgainst(former, hash, base);
  }

  async #packAgainst(hash: Sha256, base: Sha256, baseBytes: Uint8Array): Promise<number> {
    const kept = await this.#parts.kept(hash, false).catch(skipDamaged);
    if (kept === undefined || !kept.small || kept.form === FORM.against) return 0;
    const bytes = await this.#bytesOf(hash);
    if (bytes === undefined) return 0;
    const packed = await compressed(bytes, baseBytes);
    if (packed.length > kept.stored * DIFFERENCE_PAYS || !expanded(packed, bytes.length, baseBytes).equals(bytes))
      return 0;
    const change: SmallChange = { kind: "pack", hash, form: FORM.against, bytes: packed, against: base };
    return (await this.#parts.change(change)) ? kept.stored - packed.length : 0;
  }

  async #packAlone(hash: Sha256): Promise<number> {
    const kept = await this.#parts.kept(hash, false).catch(skipDamaged);
    if (kept?.form !== FORM.fresh || !kept.small) return 0;
    const bytes = await this.#bytesOf(hash);
    if (bytes === undefined) return 0;
    const packed = await compressed(bytes);
    const pays = packed.length <= bytes.length * PAYS && expanded(packed, bytes.length).equals(bytes);
    const form = pays ? FORM.alone : FORM.plain;
    const change: SmallChange = { kind: "pack", hash, form, bytes: pays ? packed : null, against: null };
    return (await this.#parts.change(change)) && pays ? bytes.length - packed.length : 0;
  }

  /** The bytes of a small content, if they are what was stored: what is damaged is left for `check` to tell. */
  async #bytesOf(hash: Sha256): Promise<Uint8Array | undefined> {
    const bytes = (await this.#parts.kept(hash, true).catch(skipDamaged))?.bytes ?? undefined;
    return bytes !== undefined && digest("sha256", bytes) === hash ? bytes : undefined;
  }
}

function skipDamaged(error: unknown): undefined {
  if (error instanceof LogError && error.code === "damaged") return undefined;
  throw error;
}
