/** What one event of the target did at one place. */
export interface Step<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** Where a step can't be taken back: what the target left there, what taking it back would bring, and why it can't. */
export interface Clash<Value> {
  readonly left: Value;
  readonly back: Value;
  readonly why: string;
}

export type Folded<Value> = { readonly value: Value; readonly clash?: never } | { readonly clash: Clash<Value> };

export interface FoldRules<Value> {
  same(a: Value, b: Value): boolean;
  /** What stands, without what the target did but with what came later. */
  merge(base: Value, ours: Value, theirs: Value): Promise<{ readonly value: Value } | { readonly why: string }>;
}

/**
 * Takes the steps of a target back, the last one first: where a step's outcome stands, what was before it stands again; where
 * what was before it stands already, nothing is to do; else what came later is kept by a merge, or it is a clash.
 */
export async function fold<Value>(
  now: Value,
  steps: readonly Step<Value>[],
  rules: FoldRules<Value>,
): Promise<Folded<Value>> {
  let value = now;
  let first: Omit<Clash<Value>, "back"> | undefined;
  for (const step of steps.toReversed()) {
    if (rules.same(value, step.after)) {
      value = step.before;
    } else if (!rules.same(value, step.before)) {
      const merged = await rules.merge(step.after, value, step.before);
      if ("why" in merged) first ??= { left: step.after, why: merged.why };
      value = "why" in merged ? step.before : merged.value; // beyond a clash: what it would be if that were settled as "theirs"
    }
  }
  return first === undefined ? { value } : { clash: { ...first, back: value } };
}
