import { withdrawal } from "../asks/ask-rows.ts";
import { keptStreams } from "../asks/kept-streams.ts";
import { barWanted } from "../shell/keys.ts";
import type { DeskAsks } from "./api.ts";
import type { Desk } from "./desk.ts";
import { Outcome } from "./shapes.ts";

/** What is asked of agents, as apps have it. */
export function deskAsks(desk: Desk): DeskAsks {
  return {
    rows: desk.asks,
    tasks: desk.tasks,
    messages: desk.messages,
    streams: keptStreams(desk),
    async say(text, { conversation, paths = [] } = {}) {
      const about = { ...(conversation !== undefined && { conversation }), ...(paths.length > 0 && { paths }) };
      return Outcome.parse(await desk.do("say", { text, ...about }));
    },
    stop: (ask) => desk.send({ type: "ask.stop", cause: { ask }, payload: {} }),
    resume: async (ask) => Outcome.parse(await desk.do("resume-ask", { ask })),
    leave: async (ask) => Outcome.parse(await desk.do("leave-ask", { ask })),
    withdraw: async (ask) => Outcome.parse(await desk.do("change-settings", { values: { [withdrawal(ask)]: true } })),
    hear: (hearer) => desk.hear(hearer),
    begin: (words) => barWanted.set({ text: words }),
  };
}
