import "./course.css";
import "./cards.css";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type Ask, askIn, asksIn } from "../../asks/ask-rows.ts";
import { isAtWork, isBusy } from "../../asks/ask-words.ts";
import { stopWhole } from "../../asks/stop-ask.ts";
import { sentence } from "../../desk/problem.ts";
import type { Moment } from "../../desk/socket.ts";
import { tellTakenBack } from "../../desk/taken-back.ts";
import { type TakenBack, takenBack, type Undos, useUndos } from "../../desk/undos.ts";
import { TakeBack } from "../../shown/take-back.tsx";
import { useWatched } from "../../watched.ts";
import type { AppProps } from "../app.ts";
import { keepFocus } from "../free-focus.ts";
import { type Block, blocksOf } from "./blocks.ts";
import type { Course } from "./course.ts";
import { EarlierAsk } from "./earlier-ask.tsx";
import { filesIn } from "./edits.ts";
import { Foot } from "./foot.tsx";
import { Head } from "./head.tsx";
import { repliesTo } from "./replies.ts";
import { Steps } from "./steps.tsx";
import { Saying, TaskBlock } from "./task-block.tsx";
import { type Aim, doingOf } from "./turn-back.tsx";
import { useCourse, useNow, useStreams } from "./use-course.ts";
import { useEnd } from "./use-end.ts";
import { useKeysKept } from "./use-keys-kept.ts";
import { Look, Question, Thinking, Waits } from "./wants.tsx";

/** Of the cards of an ask the first ones are open by themselves; of one that has more, when it is looked at later, none. */
const FEW = 8;

/** One ask: its plan and what came of it, live; and what can be done about it. */
export default function CourseWindow({ window, desk }: AppProps) {
  const id = typeof window.args.ask === "string" ? window.args.ask : "";
  const undos = useUndos(desk);
  const rows = useWatched(desk.asks.rows);
  const settings = useWatched(desk.settings.values);
  const [shown, setShown] = useState(id);
  // Of one that was just said the log may not have told yet: until then the one before it stays.
  if (shown !== id && rows.has(id)) setShown(id);
  const ask = askIn(rows, settings, rows.has(id) ? id : shown, undos);
  const title = ask?.title;
  useEffect(() => {
    if (title !== undefined) window.setTitle(title);
  }, [window, title]);
  if (ask === undefined) return <p className="empty soft">There is no such ask here.</p>;
  return <OneCourse key={ask.id} {...{ window, desk, ask, undos }} />;
}

function OneCourse({ window, desk, ask, undos }: AppProps & { ask: Ask; undos: Undos }) {
  const { id } = ask;
  const rows = useWatched(desk.asks.rows);
  const settings = useWatched(desk.settings.values);
  const messages = useWatched(desk.asks.messages);
  const replies = useMemo(() => repliesTo(id, rows, messages), [id, rows, messages]);
  const { course, done, problem } = useCourse(desk, id, replies);
  const streams = useStreams(desk, id);
  const now = useNow(isBusy(ask) || ask.status === "queued");
  const [aim, setAim] = useState<Aim>();
  const asks = useMemo(() => asksIn(rows, settings, undos), [rows, settings, undos]);
  const { before, after } = useMemo(() => asksAround(asks, id), [asks, id]);
  const body = useEnd(aim !== undefined);
  useKeysKept(body.place, ask.status, window.inFront);
  const onUndo = useCallback((next: Aim) => setAim(next), []);
  const cause = useMemo(() => ({ ask: id }), [id]);

  const show = (other: string) => window.setArgs({ ask: other });
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
  const leaveUndo = () => {
    keepFocus(body.place.current);
    setAim(undefined);
  };
  // While it runs it would go on with what is taken back.
  const first = {
    words: "It is still at work. It is stopped before anything is taken back.",
    run: (signal: AbortSignal) => stopWhole(desk, id, signal),
  };
  const quiet = isBusy(ask) && streams.waits === undefined ? quietSince(course) : undefined;
  const isOpenTask = course.items.some((item) => item.is === "task" && item.status === "running");
  const parts = {
    ...{ desk, few: cardsIn(course) <= FEW, now, onUndo, cause, undos },
  };
  const drawn = (block: Block) => {
    if (block.is === "steps") return <Steps key={block.seq} {...parts} steps={block.steps} />;
    const own = { task: block, said: streams.said.get(block.id), quiet };
    return <TaskBlock key={block.id} {...parts} {...own} />;
  };
  return (
    <div className="course">
      <Head {...{ desk, ask, course, now, after }} onShow={show} />
      <div className="course-body" ref={body.place} tabIndex={-1} onScroll={body.onScroll}>
        <div ref={body.inner}>
          {aim !== undefined ? (
            <div className="course-undo">
              <TakeBack
                key={JSON.stringify(aim.target)}
                {...{ desk, ...aim }}
                first={"ask" in aim.target && isAtWork(ask) ? first : undefined}
                onDone={(outcome) => void tellTakenBack(desk, aim.target, outcome, aim.turn)}
                onLeave={leaveUndo}
              />
            </div>
          ) : (
            <div className="course-steps" aria-busy={!done} data-status={ask.status}>
              {before.map((earlier) => (
                <EarlierAsk key={earlier.id} {...{ desk, messages }} ask={earlier} onShow={show} />
              ))}
              {blocksOf(course, ask.status === "wondering").map(drawn)}
              {streams.said.has(id) && isBusy(ask) && <Saying text={streams.said.get(id) ?? ""} />}
              {done && quiet !== undefined && !streams.said.has(id) && !isOpenTask && (
                <Thinking since={quiet} now={now} />
              )}
              <Waits {...{ desk, ask, now }} isBehind={asks.some(isBusy)} waits={streams.waits} />
              <Question {...{ desk, ask }} onSay={say} />
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
      <Foot
        {...{ desk, ask }}
        changed={filesIn(course.edits, (edit) => takenOf(undos, edit))}
        window={window}
        onUndoAll={() => setAim({ target: { ask: id }, title: "Undo all of it" })}
        onRedoAll={(target) => setAim({ target, title: "Redo all of it", turn: "again" })}
        onSay={say}
      />
    </div>
  );
}

function cardsIn({ items }: Course): number {
  return items.flatMap((item) => (item.is === "task" ? item.steps : [item])).filter(({ is }) => is === "call").length;
}

/** One change of a file, by whatever it belongs to. */
function takenOf(undos: Undos, edit: Moment): TakenBack | undefined {
  const doing = doingOf(undos, [edit]);
  return doing && takenBack(undos, { ...doing, seq: edit.event.seq }, "step");
}

/** Since when nothing is seen of it; `undefined` where a tool is at it. */
function quietSince({ items, until }: Course): string | undefined {
  const steps = items.flatMap((item) => (item.is === "task" ? item.steps : [item]));
  return steps.some((step) => step.is === "call" && step.end === undefined) ? undefined : until;
}

/** So many earlier ones of the same conversation are shown above. */
const EARLIER = 5;

/** Those of the same conversation before it, in order, and the one right after it. */
function asksAround(asks: readonly Ask[], id: string): { before: readonly Ask[]; after: Ask | undefined } {
  const own = asks.find((ask) => ask.id === id);
  const same = asks.filter(({ conversation }) => conversation !== null && conversation === own?.conversation);
  const at = same.findIndex((ask) => ask.id === id);
  if (at < 0) return { before: [], after: undefined };
  return { before: same.slice(at + 1, at + 1 + EARLIER).reverse(), after: same[at - 1] };
}
