import { parentKey } from "@choiros/contract";
import { apps } from "../apps/registry.ts";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
import type { Outcome } from "../desk/shapes.ts";
import { turnsOf } from "../desk/turns.ts";
import { changeLayout, tellChanged } from "../system/change-system.ts";
import { count } from "../words.ts";
import { everyApp, type Spot, withApps, withKey, withKeys, without } from "./desk-icons.ts";
import { following } from "./found-things.ts";
import { type Cell, settled } from "./icon-grid.ts";

/** What lies on the desktop is changed in one way: its layout is written. */
export interface IconChange {
  readonly api: DeskApi;
  /** The room there is on this screen. */
  readonly room: Cell;
}

export async function moveIcon(parts: IconChange, spot: Spot, to: Cell): Promise<void> {
  await told(parts, () => changedOne(parts, spot, (rest, now) => [{ ...now, ...to }, ...rest]));
}

export async function takeOffDesktop(parts: IconChange, spot: Spot, title: string): Promise<void> {
  await told(parts, () => changedOne(parts, spot, (rest) => rest), `${title} is off the desktop`);
}

export async function putOnDesktop(parts: IconChange, keys: readonly string[], at?: Cell): Promise<void> {
  const [first = ""] = keys;
  const what = keys.length === 1 ? first.slice(first.lastIndexOf("/") + 1) : count(keys.length, "thing");
  const words = `${what} ${keys.length === 1 ? "is" : "are"} on the desktop`;
  await told(parts, () => changed(parts, (spots) => withKeys(spots, keys, at)), words);
}

export async function putAppsBack(parts: IconChange): Promise<void> {
  const back = () => changed(parts, (spots) => withApps(spots, apps.get()));
  await told(parts, back, "Every app is on the desktop");
}

/** The file gets the name, and so does its icon: both are one call, and one undo. Gives whether they did. */
export async function renameIcon(parts: IconChange, key: string, name: string): Promise<boolean> {
  const to = renamedKey(key, name);
  const rename = async () => {
    const outcome = await parts.api.files.arrange([{ move: { from: key, to } }]);
    return outcome.ok ? changed(parts, (spots) => withKey(spots, key, to), outcome) : outcome;
  };
  return told(parts, rename, `Renamed to ${name}`);
}

/** Beside where it is. */
export function renamedKey(key: string, name: string): string {
  return `${parentKey(key) ?? "workspace"}/${name}`;
}

/** One of them, under its name of now: right after it was renamed it is pressed under its old one. */
function changedOne(
  parts: IconChange,
  spot: Spot,
  change: (rest: readonly Spot[], now: Spot) => readonly Spot[],
): Promise<Outcome> {
  const one = (spots: readonly Spot[], [now = spot]: readonly Spot[]) => change(without(spots, now), now);
  return changed(parts, one, { pressed: [spot] });
}

interface Part {
  /** What it belongs to. */
  readonly call?: string;
  /** Which of them are to be known under their names of now. */
  readonly pressed?: readonly Spot[];
}

function changed(
  { api, room }: IconChange,
  change: (spots: readonly Spot[], pressed: readonly Spot[]) => readonly Spot[],
  { call, pressed = [] }: Part = {},
): Promise<Outcome> {
  const next = async ({ icons = everyApp(apps.get(), room) }: { icons?: readonly Spot[] }) => {
    const laid = settled(icons, room);
    const now = await following(api, [...laid, ...pressed]);
    return { icons: settled(change(now(laid), now(pressed)), room) };
  };
  return changeLayout(api, next, call);
}

async function told({ api }: IconChange, doing: () => Promise<Outcome>, text?: string): Promise<boolean> {
  try {
    const outcome = await turnsOf(api).begin(doing);
    tellChanged(api, outcome, text);
    return outcome.ok;
  } catch (error) {
    api.notify({ text: sentence(error), kind: "wrong" });
    return false;
  }
}
