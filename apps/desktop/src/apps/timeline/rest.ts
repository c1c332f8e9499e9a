/**
 * Does it once a line has been in sight for so long; what comes back says that it is gone. Of the lines that somebody only
 * scrolls past there are hundreds a second: for those nothing is made, and nothing is ended.
 */
export function afterRest(ms: number, work: (gone: AbortSignal) => void): () => void {
  let ended: AbortController | undefined;
  const rest = setTimeout(() => {
    ended = new AbortController();
    work(ended.signal);
  }, ms);
  return () => {
    clearTimeout(rest);
    ended?.abort();
  };
}
