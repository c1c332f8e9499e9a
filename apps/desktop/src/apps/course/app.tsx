import "./course.css";
import "./cards.css";
import { plainText, type Target } from "@choiros/contract";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type Ask, askIn, asksIn } from "../../asks/ask-rows.ts";
import { isAtWork } from "../../asks/ask-words.ts";
import { stopAsk } from "../../asks/stop-ask.ts";
import { sentence } from "../../desk/problem.ts";
import { tellTakenBack } from "../../desk/taken-back.ts";
import { TakeBack } from "../../shown/take-back.tsx";
import { useWatched } from "../../watched.ts";
import type { AppProps } from "../app.ts";
import { type Block, blocksOf } from "./blocks.ts";
import type { Course } from "./course.ts";
import { Foot } from "./foot.tsx";
import { Head } from "./head.tsx";
import { repliesTo } from "./replies.ts";
import { Steps } from "./steps.tsx";
import { Saying, TaskBlock } from "./task-block.tsx";
import { useCourse, useNow, useStreams } from "./use-course.ts";
import { useEnd } from "./use-end.ts";
import { Look, Question, Waits } from "./wants.tsx";

/** Of the cards of an ask the first ones are open by themselves; of one that has more, when it is looked at later, none. */
const FEW = 8;

/** One ask: its plan and what came of it, live; and what can be done about it. */
export default function CourseWindow({ window, desk }: AppProps) {
  const id = typeof window.args.ask === "string" ? window.args.ask : "";
  const ask = askIn(useWatched(desk.asks.rows), useWatched(desk.settings.values), id);
  const title = ask?.title;
  useEffect(() => {
    if (title !== undefined) window.setTitle(title);
  }, [window, title]);
  if (ask === undefined) return <p className="empty soft">There is no such ask here.</p>;
  return <OneCourse key={id} {...{ window, desk, ask }} />;
}

function OneCourse({ window, desk, ask }: AppProps & { ask: Ask }) {
  const { id } = ask;
  const rows = useWatched(desk.asks.rows);
  const settings = useWatched(desk.settings.values);
  const messages = useWatched(desk.asks.messages);
  const { course, done, problem } = useCourse(desk, id);
  const streams = useStreams(desk, id);
  const now = useNow(isAtWork(ask));
  const [aim, setAim] = useState<{ readonly target: Target; readonly title: string }>();
  const replies = useMemo(() => repliesTo(id, rows, messages), [id, rows, messages]);
  const around = useMemo(() => asksAround(asksIn(rows, settings), id), [rows, settings, id]);
  const body = useEnd();
  const onUndo = useCallback((target: Target, words: string) => setAim({ target, title: words }), []);

  const say = async (text: string) => {
    try {
      const { conversation } = ask;
      const outcome = await desk.asks.say(text, conversation === null ? {} : { conversation });
      if (!outcome.ok) desk.notify({ text: outcome.message, kind: "wrong" });
      else if (!isAtWork(ask)) window.setArgs({ ask: outcome.call }); // what goes on is another one
      return outcome.ok;
    } catch (error) {
      desk.notify({ text: sentence(error), kind: "wrong" });
      return false;
    }
  };
  const undoAll = () => {
    if (isAtWork(ask)) stopAsk(desk, id); // else it would go on with what is taken back
    setAim({ target: { ask: id }, title: "Undo all of it" });
  };
  const parts = {
    ...{ desk, few: cardsIn(course) <= FEW, now, onUndo },
  };
  const drawn = (block: Block) => {
    if (block.is === "said")
      return (
        <p key={block.seq} className="course-said">
          <span className="faint">You said</span> {plainText(block.text)}
        </p>
      );
    if (block.is === "steps") return <Steps key={block.seq} {...parts} steps={block.steps} />;
    const own = { task: block, said: streams.said.get(block.id), isStill: !isAtWork(ask) };
    return <TaskBlock key={block.id} {...parts} {...own} />;
  };
  return (
    <div className="course">
      <Head {...{ desk, ask, course, now, ...around }} onShow={(other) => window.setArgs({ ask: other })} />
      <div className="course-body" ref={body.place} onScroll={body.onScroll}>
        <div ref={body.inner}>
          {aim !== undefined ? (
            <div className="course-undo">
              <TakeBack
                key={JSON.stringify(aim.target)}
                {...{ desk, ...aim }}
                onDone={(outcome) => {
                  void tellTakenBack(desk, aim.target, outcome);
                  setAim(undefined);
                }}
                onCancel={() => setAim(undefined)}
              />
            </div>
          ) : (
            <div className="course-steps" aria-busy={!done}>
              {blocksOf(course, replies, ask.status === "wondering").map(drawn)}
              {streams.said.has(id) && isAtWork(ask) && <Saying text={streams.said.get(id) ?? ""} />}
              <Waits ask={ask} waits={streams.waits} now={now} />
              <Question ask={ask} onSay={say} />
              <Look {...{ desk, ask }} />
              {problem !== undefined && (
                <p className="said-box" data-wrong role="alert">
                  {problem}
                </p>
              )}
            </div>
          )}
        </div>
      </div>
      <Foot {...{ desk, ask }} changed={course.changed.size + course.more} onUndoAll={undoAll} onSay={say} />
    </div>
  );
}

function cardsIn({ items }: Course): number {
  return items.flatMap((item) => (item.is === "task" ? item.steps : [item])).filter(({ is }) => is === "call").length;
}

/** Those of the same conversation right before and after it. */
function asksAround(asks: readonly Ask[], id: string): { before: Ask | undefined; after: Ask | undefined } {
  const own = asks.find((ask) => ask.id === id);
  const same = asks.filter(({ conversation }) => conversation !== null && conversation === own?.conversation);
  const at = same.findIndex((ask) => ask.id === id);
  return at < 0 ? { before: undefined, after: undefined } : { before: same[at + 1], after: same[at - 1] };
}
