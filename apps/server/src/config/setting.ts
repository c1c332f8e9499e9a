import { z } from "zod";

export interface About {
  /** What a value may be, to stand after "must be". */
  readonly allowed: string;
  readonly description: string;
  /** What the text of an environment variable means. Text that means nothing here stays text, and is refused as such. */
  readonly fromText: (text: string) => unknown;
  /** Words that are in the design but not in this version. */
  readonly unbuilt: readonly string[];
}

const about = z.registry<About>();

/** What a setting says about itself. */
export function aboutSetting(schema: z.ZodType): About | undefined {
  return about.get(schema);
}

export function oneOf<const Word extends string>(
  words: readonly [Word, ...Word[]],
  key: { default: NoInfer<Word>; description: string; unbuilt: readonly string[] },
) {
  const allowed = words.map((word) => JSON.stringify(word)).join(" or ");
  const error = ({ input }: { input?: unknown }) =>
    key.unbuilt.some((word) => word === input)
      ? `that isn't built yet in this version; must be ${allowed}`
      : `must be ${allowed}`;
  const schema = z.literal(words, { error }).default(key.default);
  about.add(schema, { allowed, description: key.description, fromText: (text) => text, unbuilt: key.unbuilt });
  return schema;
}

export function wholeNumber(min: number, max: number, key: { default: number; description: string }) {
  const allowed = `a whole number from ${min} to ${max}`;
  const error = `must be ${allowed}`;
  const schema = z.int({ error }).min(min, { error }).max(max, { error }).default(key.default);
  about.add(schema, { allowed, description: key.description, fromText: numberFromText, unbuilt: [] });
  return schema;
}

interface Kind {
  /** What each may be, to stand after "must be" or "must be a list of". */
  readonly allowed: string;
  readonly description: string;
  isOne(text: string): boolean;
}

export function text({ allowed, description, isOne, ...key }: Kind & { default: string }) {
  const error = `must be ${allowed}`;
  const schema = z.string({ error }).refine(isOne, { error }).default(key.default);
  about.add(schema, { allowed, description, fromText: (given) => given, unbuilt: [] });
  return schema;
}

/** None, unless told. */
export function list({ allowed: each, description, isOne }: Kind) {
  const allowed = `a list of ${each}`;
  const error = `must be ${allowed}`;
  const schema = z.array(z.string({ error }).refine(isOne, { error }), { error }).default([]);
  about.add(schema, {
    allowed: `${allowed}; in the variable, with commas between`,
    description,
    fromText: listFromText,
    unbuilt: [],
  });
  return schema;
}

function numberFromText(given: string): unknown {
  return /^-?\d+$/.test(given) ? Number(given) : given;
}

function listFromText(given: string): unknown {
  return given.trim() === "" ? [] : given.split(",").map((one) => one.trim());
}
