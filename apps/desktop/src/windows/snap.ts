import type { WindowState } from "@choiros/contract";
import { type Box, HANDLES, type Handle, type Point, type Screen } from "./box.ts";

/** The states that give a window a part of the screen. */
export type Zone = Exclude<WindowState, "normal" | "minimised">;

/** So near to an edge the pointer says "to this half", and so near to a corner "to this quarter". */
const EDGE = 12;
const CORNER = 96;

/** Which part of the screen a window gets that is let go here; `undefined` where it stays as it is. */
export function zoneAt({ x, y }: Point, screen: Screen): Zone | undefined {
  const side = x < EDGE ? "left" : x >= screen.w - EDGE ? "right" : undefined;
  if (side !== undefined) {
    if (y < CORNER) return `top-${side}`;
    return y >= screen.h - CORNER ? `bottom-${side}` : side;
  }
  if (y >= EDGE) return undefined;
  if (x < CORNER) return "top-left";
  return x >= screen.w - CORNER ? "top-right" : "maximised";
}

/** Halves share the odd pixel so that they touch and don't overlap. */
export function boxOfZone(zone: Zone, { w, h }: Screen): Box {
  const [halfW, halfH] = [Math.floor(w / 2), Math.floor(h / 2)];
  const left = { x: 0, w: halfW };
  const right = { x: halfW, w: w - halfW };
  const top = { y: 0, h: halfH };
  const bottom = { y: halfH, h: h - halfH };
  const all = { y: 0, h };
  const boxes: Record<Zone, Box> = {
    maximised: { x: 0, y: 0, w, h },
    left: { ...left, ...all },
    right: { ...right, ...all },
    "top-left": { ...left, ...top },
    "top-right": { ...right, ...top },
    "bottom-left": { ...left, ...bottom },
    "bottom-right": { ...right, ...bottom },
  };
  return boxes[zone];
}

/** A half or a quarter. */
export function isPart(state: WindowState): state is Exclude<Zone, "maximised"> {
  return state !== "normal" && state !== "minimised" && state !== "maximised";
}

/** By which it can be pulled: a part of the screen by those of its edges that aren't the screen's. */
export function handlesOf(state: WindowState): readonly Handle[] {
  if (!isPart(state)) return state === "normal" ? HANDLES : [];
  const across = state.endsWith("left") ? "e" : "w";
  if (state === "left" || state === "right") return [across];
  const down = state.startsWith("top") ? "s" : "n";
  return [across, down, `${down}${across}`];
}

export type Arrow = "left" | "right" | "up" | "down";

/** What an arrow makes of a window: a half, of that a quarter, and back. Down from nothing lays it away. */
export function snapped(state: WindowState, arrow: Arrow): WindowState {
  const next: Record<Arrow, Partial<Record<WindowState, WindowState>>> = {
    left: { right: "normal", "top-right": "top-left", "bottom-right": "bottom-left" },
    right: { left: "normal", "top-left": "top-right", "bottom-left": "bottom-right" },
    up: {
      left: "top-left",
      right: "top-right",
      "bottom-left": "left",
      "bottom-right": "right",
      "top-left": "maximised",
      "top-right": "maximised",
    },
    down: {
      left: "bottom-left",
      right: "bottom-right",
      "top-left": "left",
      "top-right": "right",
      maximised: "normal",
    },
  };
  const otherwise: Record<Arrow, WindowState> = { left: "left", right: "right", up: "maximised", down: "minimised" };
  return next[arrow][state] ?? otherwise[arrow];
}
