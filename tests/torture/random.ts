import { hash } from "node:crypto";

/** Chance that can be had again: the same seed, the same numbers. */
export interface Random {
  /** From 0 up to 1, without 1. */
  next(): number;
  /** A whole number from 0 up to `end`, without `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<const T>(choices: readonly [T, ...T[]]): T;
  bytes(length: number): Uint8Array;
}

/** mulberry32, by a number or by a name. */
export function randomFrom(seed: number | string): Random {
  let state = typeof seed === "number" ? seed >>> 0 : Number.parseInt(hash("sha256", seed).slice(0, 8), 16);
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const next = () => word() / 2 ** 32;
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: ([first, ...others]) => others[below(others.length + 1) - 1] ?? first,
    bytes: (length) => {
      const words = Uint32Array.from({ length: Math.ceil(length / 4) }, word);
      return new Uint8Array(words.buffer, 0, length);
    },
  };
}

/** A seed for a run that was given none: the tests' is always the same, so that what they say is about the code. */
export function anySeed(): number {
  return Number(process.env.CHOIR_TORTURE_SEED ?? (process.env.VITEST ? 1 : Math.floor(Math.random() * 1_000_000)));
}
