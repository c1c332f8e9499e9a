/**
 * Root may do anything, so a test of what happens to those who may not runs as nobody. Everybody else runs it as
 * themselves.
 */
export const someoneElse: { uid?: number } = process.getuid?.() === 0 ? { uid: 65_534 } : {};

export const isRoot = process.getuid?.() === 0;
