import { type Json, plainText } from "@choiros/contract";
import { useEffect, useMemo, useState } from "react";
import type { Ask } from "../../asks/ask-rows.ts";
import { standWords } from "../../asks/ask-words.ts";
import { askedIn } from "../../bar/asked.ts";
import type { DeskApi } from "../../desk/api.ts";
import { Words } from "./content.tsx";

interface EarlierParts {
  readonly desk: DeskApi;
  readonly ask: Ask;
  readonly messages: ReadonlyMap<string, Json>;
  onShow(ask: string): void;
}

/** What was asked before in the same conversation, and what was answered; all else of it is a press away. */
export function EarlierAsk({ desk, ask, messages, onShow }: EarlierParts) {
  const said = useMemo(() => askedIn(messages).find(({ id }) => id === ask.id)?.text, [messages, ask.id]);
  const seq = useAnswer(desk, ask);
  return (
    <section className="earlier" aria-label={`Earlier: ${ask.title}`}>
      <p className="course-said">{plainText(said ?? ask.title)}</p>
      {seq !== undefined && (
        <div className="earlier-answer">
          <Words desk={desk} seq={seq} part="answer" />
        </div>
      )}
      <p className="faint earlier-end">
        {standWords(ask)} ·{" "}
        <button type="button" className="word" onClick={() => onShow(ask.id)}>
          show all of it
        </button>
      </p>
    </section>
  );
}

/** The event that has its answer. */
function useAnswer(desk: DeskApi, { answer, id }: Ask): number | undefined {
  const [seq, setSeq] = useState<number>();
  const hash = answer?.hash;
  useEffect(() => {
    if (hash === undefined) return;
    const ended = new AbortController();
    const query = { cause: { ask: id }, type: ["ask.answered"], newest: true, limit: 1 };
    desk.events(query, { signal: ended.signal, onItem: ({ event }) => setSeq(event.seq) }).catch(() => {}); // the way to all of it is there
    return () => ended.abort();
  }, [desk, id, hash]);
  return seq;
}
