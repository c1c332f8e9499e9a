import { useEffect, useRef } from "react";
import type { History } from "./history.ts";
import type { MarkKind } from "./marks.ts";

/** Half the slider's thumb: the first and the last moment lie so far from the ends. */
const INSET = 8;
/** With fewer moments than one in so many pixels each gets a tick. */
const ROOM = 5;

const HEIGHTS: Readonly<Record<MarkKind, number>> = { ask: 15, task: 11, undo: 11, checkpoint: 5 };
const COLOURS: Readonly<Record<MarkKind, string>> = {
  ask: "--gold",
  task: "--add",
  undo: "--remove",
  checkpoint: "--info",
};

/** The whole history as a line with its marks: drawn, for there may be a hundred thousand. */
export function MarkTrack({ history, at }: { history: History; at?: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const version = history.version();

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const paint = () => draw(element, history, at);
    paint();
    const resized = new ResizeObserver(paint);
    const themed = new MutationObserver(paint);
    resized.observe(element);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      resized.disconnect();
      themed.disconnect();
    };
  }, [history, version, at]);

  return <canvas ref={canvas} className="track" />;
}

function draw(canvas: HTMLCanvasElement, { head, marks }: History, at: number = head): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext("2d");
  if (context === null || width === 0) return;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const place = (seq: number) => INSET + ((width - 2 * INSET) * (seq - 1)) / Math.max(1, head - 1);
  const line = (x: number, tall: number, colour: string, wide = 1) => {
    context.fillStyle = style.getPropertyValue(colour);
    context.fillRect(Math.round(x - wide / 2), Math.round((height - tall) / 2), wide, tall);
  };
  context.fillStyle = style.getPropertyValue("--line-strong");
  context.fillRect(0, height / 2, width, 1);
  context.fillStyle = style.getPropertyValue("--gold-line");
  context.fillRect(0, height / 2, place(at), 1);
  if (head * ROOM < width) for (let seq = 1; seq <= head; seq++) line(place(seq), 7, "--line-strong");
  const drawn = new Set<string>();
  for (const { kind, seq } of marks) {
    const x = place(seq);
    const spot = `${kind} ${Math.round(x)}`;
    if (drawn.has(spot)) continue; // one mark a pixel is all that can be seen
    drawn.add(spot);
    line(x, HEIGHTS[kind], COLOURS[kind], kind === "checkpoint" ? 5 : 2);
  }
}
