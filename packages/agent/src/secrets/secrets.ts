/** Keys of providers, by name. Nothing that a model, a tool or a page can reach holds one of these. */
export interface Secrets {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Removes it wherever it is. */
  remove(name: string): Promise<void>;
  /** Where a key that is set now goes, in a sentence for its owner. */
  where(): Promise<string>;
}

/** One way to keep them. */
export interface SecretPlace {
  /** Whether it can be used here and now. */
  usable(): Promise<boolean>;
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  readonly where: string;
}

/** So long a key can be told from a word. */
export const KNOWN_LENGTH = 12;

/** What of a key may be shown: the last four characters, and of a short one nothing. */
export function lastFour(secret: string): string {
  return secret.length < KNOWN_LENGTH ? "…" : `…${secret.slice(-4)}`;
}
