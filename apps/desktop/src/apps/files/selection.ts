/** What is chosen, which of them has the keys, and from where a range begins. Keys of files, never places in a list. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly active?: string;
  readonly anchor?: string;
}

export const NOTHING: Selection = { keys: new Set() };

export function only(...keys: readonly string[]): Selection {
  const [first] = keys;
  return first === undefined ? NOTHING : { keys: new Set(keys), active: first, anchor: first };
}

/** One more, or one less. */
export function toggled({ keys }: Selection, key: string): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, active: key, anchor: key };
}

/** From the anchor to there; `add` keeps what was chosen besides. */
export function extended(now: Selection, order: readonly string[], to: string, add = false): Selection {
  const anchor = now.anchor ?? now.active ?? order[0] ?? to;
  const [one, two] = [order.indexOf(anchor), order.indexOf(to)];
  if (one < 0 || two < 0) return only(to);
  const range = order.slice(Math.min(one, two), Math.max(one, two) + 1);
  return { keys: new Set(add ? [...now.keys, ...range] : range), active: to, anchor };
}

export function all(now: Selection, order: readonly string[]): Selection {
  const active = now.active ?? order[0];
  return { keys: new Set(order), ...(active !== undefined && { active, anchor: active }) };
}

/** What a frame that is drawn around things chooses: `add` to what was chosen before, where that is wanted. */
export function framed(before: Selection, hit: readonly string[], add: boolean): Selection {
  const last = hit.at(-1);
  const keys = new Set(add ? [...before.keys, ...hit] : hit);
  return last === undefined ? { ...before, keys } : { keys, active: last, anchor: hit[0] ?? last };
}

/** Moves the keys without choosing. */
export function pointed(now: Selection, key: string): Selection {
  return { ...now, active: key };
}

/**
 * What of it is there still. What got another name is chosen under that: as many came as went. Else, where the one that has the keys is gone, its neighbour has them; and where all that was
 * chosen is gone, that one is chosen. Fingers have no keys: there nobody asked for that, and the next press opens.
 */
export function kept(
  now: Selection,
  before: readonly string[],
  order: readonly string[],
  withKeys: boolean,
): Selection {
  const there = new Set(order);
  const keys = new Set([...now.keys].filter((key) => there.has(key)));
  if (now.active === undefined || there.has(now.active)) return keys.size === now.keys.size ? now : { ...now, keys };
  const renamed = keys.size === 0 && now.keys.size > 0 ? newNames(before, order) : [];
  if (renamed.length > 0) return only(...renamed);
  const at = before.indexOf(now.active);
  const next =
    before.slice(at + 1).find((key) => there.has(key)) ??
    before.slice(0, Math.max(at, 0)).findLast((key) => there.has(key));
  if (next === undefined) return NOTHING;
  const wasChosen = withKeys && now.keys.size > 0 && keys.size === 0;
  return { keys: wasChosen ? new Set([next]) : keys, active: next, anchor: next };
}

/** Of a list in which as many names are new as are gone. */
function newNames(before: readonly string[], order: readonly string[]): string[] {
  const [was, is] = [new Set(before), new Set(order)];
  const came = order.filter((key) => !was.has(key));
  return came.length === before.filter((key) => !is.has(key)).length ? came : [];
}
