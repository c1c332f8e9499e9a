import type { Box, Point, Screen } from "../../windows/box.ts";

/** To what is shown, and to the edge of the screen. */
const GAP = 14;
const MARGIN = 12;

/** Where a card stands that tells of something: beside it, where there is room, and over none of it. */
export function beside(card: Screen, shown: Box, screen: Screen): Point {
  const middle = { x: shown.x + shown.w / 2 - card.w / 2, y: shown.y + shown.h / 2 - card.h / 2 };
  const spots: readonly Point[] = [
    { x: middle.x, y: shown.y - GAP - card.h },
    { x: middle.x, y: shown.y + shown.h + GAP },
    { x: shown.x + shown.w + GAP, y: middle.y },
    { x: shown.x - GAP - card.w, y: middle.y },
  ];
  const best = spots.map((spot) => within(spot, card, screen)).find((spot) => !isOver({ ...spot, ...card }, shown));
  return best ?? within(middle, card, screen);
}

function within({ x, y }: Point, { w, h }: Screen, screen: Screen): Point {
  const least = (at: number, long: number, room: number) =>
    Math.round(Math.max(MARGIN, Math.min(at, room - long - MARGIN)));
  return { x: least(x, w, screen.w), y: least(y, h, screen.h) };
}

function isOver(one: Box, two: Box): boolean {
  return one.x < two.x + two.w && two.x < one.x + one.w && one.y < two.y + two.h && two.y < one.y + one.h;
}
