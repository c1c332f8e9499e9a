import { type Box, hasCards, type Point, type Screen, TITLE_HEIGHT } from "./box.ts";

type Size = Pick<Box, "w" | "h">;

/** To the edge of the screen, and to the next window. */
const MARGIN = 24;
const GAP = 12;
/** One that stands on another leaves its title bar in sight. */
const STEP = TITLE_HEIGHT;
/** As far as two columns of icons reach: a window that has room beside them leaves them to be pressed. */
const ICONS = 204;
/** On a screen of cards nothing says how large another one is. */
const USUAL: Screen = { w: 1280, h: 720 };

/** Where a new window covers the others least; of places that are as good, the one nearest to the front window. The front one comes first. */
export function spotFor(size: Size, others: readonly Box[], screen: Screen): Point {
  const room = hasCards(screen) ? USUAL : screen;
  const w = Math.min(size.w, room.w);
  const h = Math.min(size.h, room.h);
  const spots = spotsAlong(h, others.map(down), room.h).flatMap((y) =>
    spotsAlong(w, others.map(across), room.w).map((x) => ({ x, y })),
  );
  const beside = room.w - w - MARGIN >= ICONS ? ICONS : 0;
  let best: Point = { x: Math.max(beside, Math.round((room.w - w) / 3)), y: Math.round((room.h - h) / 3) };
  let least = harm({ ...best, w, h }, others);
  for (const spot of spots) {
    const cost = harm({ ...spot, w, h }, others);
    if (cost >= least) continue;
    best = spot;
    least = cost;
  }
  return best;
}

interface Stretch {
  readonly at: number;
  readonly long: number;
}

const across = ({ x, w }: Box): Stretch => ({ at: x, long: w });
const down = ({ y, h }: Box): Stretch => ({ at: y, long: h });

/** In one direction: beside each of the others, level with it, a step on from it, or at the edges. */
function spotsAlong(long: number, others: readonly Stretch[], room: number): number[] {
  const by = others.flatMap((one) => [one.at, one.at + one.long + GAP, one.at - GAP - long, one.at + STEP]);
  const edges = [room - MARGIN - long, MARGIN].map((at) => Math.max(0, Math.min(at, room - long)));
  return [...new Set([...by, ...edges])].filter((at) => at >= 0 && at + long <= room);
}

/** A title bar that is all hidden is worse than any others that are hidden in part. */
const ALL_HIDDEN = 100;

/** How much of the others it hides, by share: of each as a whole, and of its title bar. */
function harm(box: Box, others: readonly Box[]): number {
  return others.reduce((sum, one) => {
    const title = hidden({ ...one, h: TITLE_HEIGHT }, box);
    return sum + hidden(one, box) + (title < 1 ? title : ALL_HIDDEN);
  }, 0);
}

function hidden(one: Box, by: Box): number {
  const w = Math.min(one.x + one.w, by.x + by.w) - Math.max(one.x, by.x);
  const h = Math.min(one.y + one.h, by.y + by.h) - Math.max(one.y, by.y);
  return (Math.max(0, w) * Math.max(0, h)) / (one.w * one.h);
}
