/** How much one call to the thread does: under 50 ms, for others wait meanwhile. */

/** Events in one commit. */
export const BATCH = 200;
/** Keys, rows or changes in one call to the thread: some milliseconds. */
export const SLICE = 2000;
/** Where each may mean many. */
export const FEW = 50;
/** Lines of the tree. */
export const PAGE = 16_384;
/** Versions gathered for moving through time. */
export const GATHERED = 8000;
