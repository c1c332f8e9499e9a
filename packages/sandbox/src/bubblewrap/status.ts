/** What bubblewrap has told of itself so far. */
export interface Status {
  /** The first process inside. When it ends, the kernel ends all others there. */
  readonly init?: number;
  /** Only there once the command itself was started and has ended. */
  readonly exit?: number;
}

/** Several JSON objects, one after the other; the last may be cut off. */
export function readStatus(text: string): Status {
  const init = /"child-pid": (\d+)\b/.exec(text)?.[1];
  const exit = /"exit-code": (\d+)\b/.exec(text)?.[1];
  return { ...(init !== undefined && { init: Number(init) }), ...(exit !== undefined && { exit: Number(exit) }) };
}
