/** Keys from `from` on, and below `to`; a blob comes after every text. */
export interface KeyRange {
  readonly from: string;
  readonly to: string | Uint8Array;
}

const EVERYTHING: readonly KeyRange[] = [{ from: "", to: new Uint8Array() }];

/**
 * What is below a directory, in order. Between the two ranges stand its neighbours whose names go on with an odd byte
 * (`dir//ff`): they begin with `dir/` too, and are not in it.
 */
export function rangesUnder(directory: string | undefined): readonly KeyRange[] {
  if (directory === undefined) return EVERYTHING;
  return [
    { from: `${directory}/`, to: `${directory}//0` },
    { from: `${directory}//g`, to: `${directory}0` },
  ];
}

/** Keys that begin so. */
export function rangesFrom(prefix: string | undefined): readonly KeyRange[] {
  if (prefix === undefined || prefix === "") return EVERYTHING;
  const last = prefix.charCodeAt(prefix.length - 1);
  return [{ from: prefix, to: prefix.slice(0, -1) + String.fromCharCode(last + 1) }];
}

/** What is left of a range after a key. */
export function restOf(range: KeyRange, after: string | undefined): KeyRange[] {
  if (after === undefined) return [range];
  const from = `${after}\0`; // the next text there can be; no key has a NUL
  const order = Buffer.compare(Buffer.from(from), Buffer.from(range.from)); // as SQLite orders: by bytes
  if (typeof range.to === "string" && Buffer.compare(Buffer.from(from), Buffer.from(range.to)) >= 0) return [];
  return [order > 0 ? { ...range, from } : range];
}
