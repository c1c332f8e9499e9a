import { plainText } from "@choiros/contract";
import { Square, Undo2 } from "lucide-react";
import { useMemo } from "react";
import { AskMark } from "../asks/ask-mark.tsx";
import type { Ask } from "../asks/ask-rows.ts";
import { isAtWork, isBusy, statusWords } from "../asks/ask-words.ts";
import { stopAsk } from "../asks/stop-ask.ts";
import { watchDemo } from "../asks/watch-demo.ts";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
import { Chip } from "../taskbar/chip.tsx";
import { useWatched } from "../watched.ts";
import { count, dayAndTime } from "../words.ts";
import { type Asked, askedIn } from "./asked.ts";
import { connectModel, NOBODY } from "./no-model.ts";
import type { Asks } from "./use-asks.ts";

/** What isn't over, in the taskbar: what waits for an answer first, then what runs; how many there are, and a list to open. */
export function AskChip({ asks: { open: asks, whys }, api }: { asks: Asks; api: DeskApi }) {
  const [first] = asks;
  if (first === undefined) return null;
  const stands = statusWords(first.status);
  return (
    <Chip
      icon={<AskMark status={first.status} />}
      text={first.title}
      count={asks.length}
      what={`${count(asks.length, "ask")}, ${stands}`}
      title={`${first.title}: ${stands}`}
      onPress={asks.length > 1 ? undefined : () => void api.open("course", { ask: first.id })}
      list={(leave) => <OpenAsks {...{ asks, whys, api }} onLeave={leave} />}
    />
  );
}

interface OpenParts {
  readonly asks: readonly Ask[];
  readonly whys: Asks["whys"];
  readonly api: DeskApi;
  onLeave(): void;
}

function OpenAsks({ asks, whys, api, onLeave }: OpenParts) {
  const messages = useWatched(api.asks.messages);
  const asked = useMemo(() => new Map(askedIn(messages).map((one) => [one.id, one])), [messages]);
  const waiting = asks.some(isBusy) ? undefined : asks.find(({ status }) => status === "queued");
  const leaving = (then: () => void) => () => {
    onLeave();
    then();
  };
  return (
    <section className="notices asks-list" aria-label="Asks that aren't over">
      <header>
        <h2>Asks</h2>
        <button type="button" className="button quiet" onClick={leaving(() => void api.open("asks"))}>
          All asks
        </button>
      </header>
      {waiting !== undefined && (
        <p className="asks-why soft">
          {whys.get(waiting.id) ?? NOBODY}{" "}
          <button type="button" className="asks-more" onClick={leaving(connectModel)}>
            Connect a model
          </button>{" "}
          <button type="button" className="asks-more" onClick={leaving(() => void watchDemo(api))}>
            Watch the scripted demo
          </button>
        </p>
      )}
      <ul>
        {asks.map((ask) => (
          <OneAsk
            key={ask.id}
            {...{ ask, api }}
            asked={asked.get(ask.id)}
            onOpen={leaving(() => void api.open("course", { ask: ask.id }))}
          />
        ))}
      </ul>
    </section>
  );
}

interface OneParts {
  readonly ask: Ask;
  readonly asked: Asked | undefined;
  readonly api: DeskApi;
  onOpen(): void;
}

function OneAsk({ ask, asked, api, onOpen }: OneParts) {
  const takeBack = () =>
    api.asks
      .withdraw(ask.id)
      .then((outcome) => api.notifyDone("The ask is taken back", outcome))
      .catch((error) => void api.notify({ text: sentence(error), kind: "wrong" }));
  return (
    <li>
      <AskMark status={ask.status} />
      <span className="grow">
        <button type="button" className="asks-title" onClick={onOpen}>
          {asked === undefined ? ask.title : plainText(asked.text)}
        </button>
        {asked?.paths.map((path) => (
          <button key={path} type="button" className="asks-file" onClick={() => api.openFile(path)}>
            {path}
          </button>
        ))}
        <span className="faint asks-state">
          {statusWords(ask.status)} · <time dateTime={ask.until}>{dayAndTime(ask.until)}</time>
        </span>
      </span>
      {ask.status === "queued" && (
        <button type="button" className="button" onClick={takeBack}>
          <Undo2 aria-hidden="true" size={13} />
          Take back
        </button>
      )}
      {isAtWork(ask) && (
        <button type="button" className="button" onClick={() => stopAsk(api, ask.id)}>
          <Square aria-hidden="true" size={11} />
          Stop
        </button>
      )}
    </li>
  );
}
