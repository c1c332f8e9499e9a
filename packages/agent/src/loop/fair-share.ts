/** The most that each may have so that all fit: who needs less leaves the rest to the others. */
export function fairShare(sizes: readonly number[], room: number): number {
  let [left, share] = [room, room];
  for (const [i, size] of sizes.toSorted((a, b) => a - b).entries()) {
    share = left / (sizes.length - i);
    left -= Math.min(size, share);
  }
  return Math.floor(share);
}
