import { Id, MAX_SAID_CHARACTERS, WindowKey, WindowValue } from "@choiros/contract";
import { z } from "zod";
import { act, acting, named, watching } from "./acting.ts";
import { AskedKey } from "./asked-key.ts";
import { operation } from "./operation.ts";

/** What is done at a desk: to windows, to many paths at once, and what is said there. */

export const changeWindows = operation({
  ...acting,
  name: "change-windows",
  request: z.strictObject({
    as: z.enum(["open", "close", "change", "focus"]),
    changes: z
      .array(z.strictObject({ after: WindowValue.nullable(), key: WindowKey }))
      .min(1)
      .max(100)
      .refine(
        (changes) => new Set(changes.map(({ key }) => key)).size === changes.length,
        "must name each window once",
      ),
  }),
  run(place, { as, changes }, work) {
    const windows = new Map(changes.map(({ after, key }) => [key, after]));
    return act(place, work, (computer) => computer.changeWindows(as, windows, named(work)));
  },
});

/** Its id is that of the ask. */
export const say = operation({
  ...acting,
  name: "say",
  request: z.strictObject({
    conversation: Id.exactOptional(),
    paths: z.array(AskedKey).max(100).exactOptional(),
    text: z.string().min(1).max(MAX_SAID_CHARACTERS),
  }),
  run(place, { text, ...options }, work) {
    const id = work.id === undefined ? {} : { id: work.id };
    return act(place, work, (computer) => computer.say(text, { ...options, ...watching(work), ...id }));
  },
});

const OneAsk = z.strictObject({ ask: Id });

/** An ask that paused goes on. Whether somebody takes it up is the agents' to tell. */
export const resumeAsk = operation({
  ...acting,
  name: "resume-ask",
  request: OneAsk,
  run: (place, { ask }, work) => act(place, work, (computer) => computer.settleAsk(ask, "resumed", named(work))),
});

/** An ask that paused stays as it is, with all that it did. */
export const leaveAsk = operation({
  ...acting,
  name: "leave-ask",
  request: OneAsk,
  run: (place, { ask }, work) => act(place, work, (computer) => computer.settleAsk(ask, "left", named(work))),
});

const Way = z.strictObject({ from: AskedKey, to: AskedKey });
const One = z.strictObject({ key: AskedKey });

export const arrange = operation({
  ...acting,
  makes: "first",
  name: "arrange",
  request: z.strictObject({
    /** What it is a part of, where that is more than can be asked for at once: all of it is undone as one. */
    call: Id.exactOptional(),
    deeds: z
      .array(
        z.union([
          z.strictObject({ move: Way }),
          z.strictObject({ copy: Way }),
          z.strictObject({ remove: One }),
          z.strictObject({ folder: One }),
          z.strictObject({ file: One }),
        ]),
      )
      .min(1)
      .max(1000),
  }),
  run(place, { call, deeds }, work) {
    const options = { ...named(work), ...(call !== undefined && { cause: { call } }) };
    return act(place, work, (computer) => computer.arrange(deeds, options));
  },
});
