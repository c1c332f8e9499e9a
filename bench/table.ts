import { format, type Measure, type Pair, type Result } from "./measure.ts";

const HEADINGS = ["", "measure", "ours", "peer", "ratio", "rounds", "p99", "floor", "aim", "verdict"];

/** What was found, for people. */
export function table(results: readonly Result[], others: number): string {
  const rows = [HEADINGS, ...results.map(row)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [
    ...lines,
    "",
    ...results.flatMap(notes),
    "",
    ...LEGEND,
    `others      kept ${others.toFixed(1)} cores busy meanwhile: the nearer to 0, the more this says`,
  ].join("\n");
}

const LEGEND = [
  "ours, peer  medians of the rounds",
  "ratio       ours ÷ peer of each round, then the median; rounds: its range, or that of ours where floor and aim have a unit",
  "p99         ours / peer, in ms, medians of the rounds",
];

function row({ measure, ours, peer, ratio, range, p99, verdict }: Result): string[] {
  return [
    measure.id,
    measure.title,
    `${format(ours)} ${measure.unit}`,
    `${format(peer)} ${measure.unit}`,
    format(ratio),
    range.map(format).join("–"),
    p99 === undefined ? "" : inMs(p99),
    mark(measure, measure.floor),
    mark(measure, measure.aim),
    verdict,
  ];
}

function notes({ measure, also }: Result): string[] {
  const more = Object.entries(also).map(([label, pair]) => `${label}: ${inMs(pair)} ms`);
  return [`${[`${measure.id}: peer is ${measure.peer}`, ...more].join("; ")}`];
}

function mark({ better, judged, unit }: Measure, value: number): string {
  return `${better === "higher" ? "≥" : "≤"} ${value}${judged === "ours" ? ` ${unit}` : ""}`;
}

function inMs({ ours, peer }: Pair): string {
  return `${format(ours)} / ${format(peer)}`;
}
