import { plain } from "@choiros/contract";
import { Bell, ChevronDown, History as HistoryIcon, RotateCw, ShieldOff, Sparkles, Square } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Mark } from "../mark.tsx";
import { sentence } from "../server/problem.ts";
import type { Computer, Me } from "../server/shapes.ts";
import { MarkTrack } from "../time/mark-track.tsx";
import { count as countOf } from "../words.ts";
import type { DeskState } from "./desk.tsx";
import { type Live, useHistory } from "./live.ts";
import type { Why } from "./stopped-desks.ts";
import { type Busy, busyOf } from "./unfinished.ts";

export type Open = "computers" | "approvals" | "agents" | "account" | "time" | undefined;

interface BarParts {
  readonly me: Me;
  readonly computer: Computer;
  readonly live: Live;
  readonly desk: DeskState | Why | "recovery";
  readonly open: Open;
  /** What the desk asks for, where it does. */
  readonly wish: ReactNode;
  onOpen(panel: NonNullable<Open>): void;
  onReload(): void;
}

const UNSAFE = "Commands run without a sandbox: they can do whatever the server can.";

const WHO: Readonly<Record<string, string>> = { agent: "Agent", system: "System", user: "You" };

const DESK_WORDS = {
  silent: "Desktop doesn't answer",
  keyboard: "Desktop stopped: it took the keyboard",
  messages: "Desktop stopped: it sent too many messages",
  recovery: "Opened without the desktop",
};

export function Bar({ me, computer, live, desk, open, wish, onOpen, onReload }: BarParts) {
  useHistory(live.history);
  const bar = useRef<HTMLElement>(null);
  const toggle = (panel: NonNullable<Open>) => ({
    type: "button" as const,
    "aria-expanded": open === panel,
    onClick: () => onOpen(panel),
  });
  return (
    <header className="bar" ref={bar} tabIndex={-1}>
      <button
        {...toggle("computers")}
        className="bar-name"
        aria-label={`Computer ${computer.name}: switch, create, rename`}
      >
        <Mark size={16} />
        <b>{computer.name}</b>
        <ChevronDown aria-hidden="true" size={13} className="faint" />
      </button>
      <ConnectionPill live={live} />
      {live.health?.unsafe === true && (
        <span className="pill warn" role="status" title={UNSAFE}>
          <ShieldOff aria-hidden="true" size={12} />
          <span className="wide-only">no sandbox</span>
          <span className="sr-only">{UNSAFE}</span>
        </span>
      )}
      {desk !== "loading" && desk !== "answering" && (
        <button type="button" className="pill warn" onClick={onReload}>
          <RotateCw aria-hidden="true" size={12} />
          <span className="wide-only">{DESK_WORDS[desk]} · </span>
          {desk === "recovery" ? "Load it" : "Reload it"}
        </button>
      )}
      <button {...toggle("time")} className="bar-time" aria-label="Time machine">
        <MarkTrack history={live.history} />
        <HistoryIcon aria-hidden="true" size={15} />
        <span className="bar-time-word">Time machine</span>
      </button>
      {wish}
      <RunningPill live={live} onGone={() => bar.current?.focus()} />
      <Waiting count={live.waiting.length} button={toggle("approvals")} />
      {me.account.role === "owner" && (
        <button {...toggle("agents")} className="bar-icon" aria-label="Agents: models, and what they may do">
          <Sparkles aria-hidden="true" size={15} />
        </button>
      )}
      <button {...toggle("account")} className="avatar" aria-label={`Account of ${me.account.name}`}>
        {me.account.name.slice(0, 1).toUpperCase()}
      </button>
    </header>
  );
}

function ConnectionPill({ live }: { live: Live }) {
  const [kind, short, long] = connectionWords(live);
  return (
    <span className={`pill connection ${kind}`} role="status" title={long}>
      <span className={`dot ${kind}`} aria-hidden="true" />
      <span className="connection-word">{short}</span>
      <span className="sr-only">{long}</span>
    </span>
  );
}

function connectionWords({ connection, health, owed }: Live): [string, string, string] {
  const problem = health?.log.problem;
  if (connection === "lost") return ["warn", "offline", "The server can't be reached. It is tried again by itself."];
  if (problem !== undefined) return ["warn", "read-only", `Nothing can be kept at the moment: ${problem}`];
  if (connection === "connecting") return ["soft", "connecting", "Connecting to the server."];
  if (owed) return ["soft", "waiting", "The server hasn't answered yet. What was done last may not be on disk."];
  return ["good", "saved", "Connected. Everything so far is on disk."];
}

/** The bell, with how many wait; said to whoever can't see it as soon as one more does. */
function Waiting({ count, button }: { count: number; button: ComponentProps<"button"> }) {
  const words = count === 0 ? "none waiting" : `${count} waiting`;
  return (
    <>
      <button {...button} className={count === 0 ? "bar-icon" : "bell on"} aria-label={`Approvals: ${words}`}>
        <Bell aria-hidden="true" size={15} />
        {count > 0 && <b aria-hidden="true">{count}</b>}
      </button>
      <span className="sr-only" role="status">
        {count > 0 && `${countOf(count, "approval")} waiting for your answer`}
      </span>
    </>
  );
}

const WANTS = { answer: "has a question", approval: "waits for your approval" };

function RunningPill({ live, onGone }: { live: Live; onGone(): void }) {
  const { history, stop, stopAsk } = live;
  /** Of the one that was to be stopped: another one says its own name. */
  const [said, setSaid] = useState<{ call: string; words: string }>();
  const busy = busyOf(live);
  const [first] = busy;
  const none = first === undefined;
  // The button that was pressed is gone with what it stopped: the keyboard goes on in the bar.
  const leave = useEffectEvent(() => {
    if (said !== undefined && document.activeElement === document.body) onGone();
    setSaid(undefined);
  });
  useEffect(() => {
    if (none) leave();
  }, [none]);
  if (first === undefined) return null;
  const what = doingOf(first);
  const who = history.isScripted(first.ask) ? "Scripted demo" : (WHO[first.by] ?? first.by);
  const more = busy.length > 1 ? ` and ${busy.length - 1} more` : "";
  const of = history.titleOf(first.ask);
  const end = () => {
    try {
      const asked = new Set(busy.map(({ ask }) => ask).filter((ask) => live.asks.some((one) => one.ask === ask)));
      for (const ask of asked) if (ask !== undefined) stopAsk(ask);
      for (const { ask, call } of busy) if (!asked.has(ask)) stop(call);
      setSaid({ call: first.call, words: "stopping" });
    } catch (error) {
      setSaid({ call: first.call, words: sentence(error) });
    }
  };
  return (
    <span className="pill on running" role="status">
      <span className={first.wants === undefined ? "dot busy" : "dot gold"} aria-hidden="true" />
      <span className="running-what" title={of}>
        {said?.call === first.call ? said.words : <Doing {...{ who, what }} />}
        {more}
      </span>
      <button
        type="button"
        className="stop"
        onClick={end}
        aria-label={`Stop ${of === undefined ? what : `“${plain(of)}”`}${more}`}
        title={`${who} · ${what}${of === undefined ? "" : `: “${plain(of)}”`}${more}`}
      >
        <Square aria-hidden="true" size={11} fill="currentColor" />
        Stop
      </button>
    </span>
  );
}

function doingOf({ wants, what }: Busy): string {
  if (wants !== undefined) return WANTS[wants];
  return what === undefined ? "at work" : plain(what);
}

/** Who it is gives way where there is no room for both. */
function Doing({ who, what }: { who: string; what: string }) {
  return (
    <>
      <span className="running-who">{who} · </span>
      {what}
    </>
  );
}
