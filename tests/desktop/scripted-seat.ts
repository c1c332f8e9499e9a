import type { KnownEvent } from "@choiros/contract";
import type { Locator } from "playwright-core";
import { onTestFinished } from "vitest";
import { connectHome } from "../agent/headless.ts";
import type { Home } from "../console/home.ts";
import { choir } from "../console/stage.ts";
import { type ScriptedModel, scriptedModel } from "../model/scripted-model.ts";
import { type OpenDesk, say, windowOf } from "./desk.ts";
import { type Seat, seats } from "./seat.ts";

/** A seat at a server whose agents are played by a script. */
export interface ScriptedSeat {
  readonly at: Seat;
  readonly scripted: ScriptedModel;
}

/** One server and one browser for all tests of a file; the script is each test's own. */
export function scriptedSeats(): () => Promise<ScriptedSeat> {
  const seat = seats();
  return async () => {
    const at = await seat();
    const scripted = await newScript();
    connectHome(at.home.path, scripted);
    return { at, scripted };
  };
}

/** A model that is gone when the test is over. */
export async function newScript(): Promise<ScriptedModel> {
  const scripted = await scriptedModel();
  onTestFinished(() => scripted.close());
  return scripted;
}

/** Asks in the bar, and opens the window of the ask from the list of all. */
export async function ask(here: OpenDesk, text: string): Promise<Locator> {
  await say(here, `ask ${text}`);
  return openAsk(here, text);
}

export async function openAsk(here: OpenDesk, title: string): Promise<Locator> {
  await say(here, "asks");
  await (await windowOf(here, "Asks")).getByRole("button", { name: title }).click();
  return windowOf(here, title);
}

/** What the desk tells without being asked. */
export function toasts({ desk }: OpenDesk): Locator {
  return desk.getByRole("region", { name: "Notifications", exact: true });
}

/** What is in the log, of these types. */
export async function eventsOf(home: Home, ...types: KnownEvent["type"][]): Promise<KnownEvent[]> {
  const lines = await choir(home, ["events", "--json"]);
  const events: KnownEvent[] = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line)); // of the server's own
  return types.length === 0 ? events : events.filter(({ type }) => types.includes(type));
}
