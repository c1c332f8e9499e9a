import type { DeskWish } from "@choiros/contract/frame";
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { LinkedEvent } from "../link.ts";
import { ComputerApi } from "../server/computer-api.ts";
import type { Server } from "../server/server.ts";
import type { Me } from "../server/shapes.ts";
import { TimeMachine } from "../time/time-machine.tsx";
import { AccountPanel } from "./account-panel.tsx";
import { AgentsPanel } from "./agents-panel.tsx";
import { ApprovalPanel } from "./approval-panel.tsx";
import { Bar, type Open } from "./bar.tsx";
import { ComputersPanel } from "./computers-panel.tsx";
import { Desk, type DeskState } from "./desk.tsx";
import { watchKeyboard } from "./keyboard.ts";
import { useLive } from "./live.ts";
import { forgetOldDrafts } from "./old-drafts.ts";
import { useRecovery } from "./recovery.ts";
import { useStopped } from "./stopped-desks.ts";
import { StrayPill } from "./stray-pill.tsx";
import type { TypedPolicy } from "./use-policy.ts";
import { WishPill } from "./wish-pill.tsx";

/** Which computer was open here last; an id that is nobody's is ignored. */
const LAST = "choir.computer";

interface FrameParts {
  readonly server: Server;
  readonly me: Me;
  /** The desk begins with it, where that computer is one of theirs. */
  readonly event: LinkedEvent | undefined;
  /** What `me` says may be old. */
  onChanged(): Promise<void>;
}

/**
 * The frame around the desktop. Nothing in it needs the desktop: whatever state that is in, all of this works. While a
 * panel is open the desktop gets no clicks; the focus is taken back from a page that takes it, and one that goes on is stopped.
 * What was typed by then could be a key: so where a password or a key is typed it isn't there at all, from the moment in
 * which the field for it is entered.
 */
export function Frame({ server, me, event, onChanged }: FrameParts) {
  const [wanted, setWanted] = useState(() => event?.computer ?? localStorage.getItem(LAST) ?? "");
  const computer = me.computers.find(({ id }) => id === wanted) ?? me.computers[0];
  if (computer === undefined) throw new Error("an account has at least one computer");
  const api = useMemo(() => new ComputerApi(server, computer.id), [server, computer.id]);
  const live = useLive(api);
  const [open, setOpen] = useState<Open>();
  const [desk, setDesk] = useState<DeskState>("loading");
  const [stopped, stop] = useStopped(computer.id);
  const [recovering, endRecovery] = useRecovery();
  const gone = recovering ? "recovery" : stopped;
  const [round, setRound] = useState(0);
  const [wish, setWish] = useState<DeskWish>();
  /** A key is being typed into a panel, or was since that was opened. */
  const [keyed, setKeyed] = useState(false);
  const typedPolicy = useRef<TypedPolicy>(undefined);
  const [strayed, setStrayed] = useState(event !== undefined && event.computer !== computer.id);
  const close = useCallback(() => setOpen(undefined), []);
  const choose = (id: string) => {
    localStorage.setItem(LAST, id);
    setWanted(id);
  };

  const connected = useEffectEvent(() => {
    if (desk !== "answering") setRound((now) => now + 1); // it was loaded while nobody was there to send it
  });
  const wasLost = useRef(false);
  useEffect(() => {
    if (live.connection === "live" && wasLost.current) connected();
    wasLost.current = live.connection === "lost" || (wasLost.current && live.connection !== "live");
  }, [live.connection]);

  const computers = me.computers.map(({ id }) => id).join(" ");
  useEffect(() => {
    forgetOldDrafts(me.account.id, computers.split(" ")).catch(() => {}); // this browser keeps nothing
  }, [me.account.id, computers]);
  useEffect(() => {
    document.title = `${computer.name} · ChoirOS`;
  }, [computer.name]);
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) close();
    };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, [close]);

  const stopForKeyboard = useEffectEvent(() => stop("keyboard"));
  const covered = open !== undefined;
  useEffect(() => watchKeyboard(covered, stopForKeyboard), [covered]);

  const isKeyed = open === "agents" && keyed;
  useEffect(() => {
    if (open !== "agents") setKeyed(false);
  }, [open]);

  return (
    <div className="frame" data-panel={open ?? "none"}>
      <Bar
        {...{ me, computer, live, open }}
        desk={gone ?? desk}
        wish={
          wish === undefined ? (
            strayed && <StrayPill onClose={() => setStrayed(false)} />
          ) : (
            <WishPill
              key={JSON.stringify(wish)}
              {...{ api, wish }}
              owner={me.account.role === "owner"}
              onAgents={() => setOpen("agents")}
              onSignedOut={onChanged}
              onClose={() => setWish((now) => (now === wish ? undefined : now))} // there may be another by then
            />
          )
        }
        onOpen={(panel) => setOpen((now) => (now === panel ? undefined : panel))}
        onReload={() => {
          endRecovery();
          stop(undefined);
          setRound((now) => now + 1);
        }}
      />
      <div className="stage">
        {open === "account" || isKeyed ? (
          <Away />
        ) : gone !== undefined ? (
          <div className="desk" hidden={open === "time"} />
        ) : (
          <Desk
            key={`${computer.id}-${round}`}
            {...{ api, computer }}
            account={me.account.id}
            event={event?.computer === computer.id ? event.seq : undefined}
            live={live.connection === "live"}
            covered={covered}
            hidden={open === "time"}
            wishing={wish !== undefined}
            onState={setDesk}
            onFlood={() => stop("messages")}
            onWish={setWish}
          />
        )}
        {open === "computers" && (
          <ComputersPanel
            {...{ server, me, api }}
            current={computer.id}
            onChoose={choose}
            {...{ onChanged }}
            onClose={close}
          />
        )}
        {open === "approvals" && (
          <ApprovalPanel
            {...{ api }}
            history={live.history}
            owner={me.account.role === "owner"}
            waiting={live.waiting}
            onClose={close}
          />
        )}
        {open === "account" && <AccountPanel {...{ server, me, onChanged }} onClose={close} />}
        {open === "agents" && (
          <AgentsPanel {...{ server }} kept={typedPolicy} onKey={() => setKeyed(true)} onClose={close} />
        )}
        {open === "time" && <TimeMachine key={computer.id} api={api} history={live.history} onClose={close} />}
      </div>
    </div>
  );
}

function Away() {
  return (
    <div className="desk away">
      <p>The desktop is away while passwords and keys are typed, so that nothing on it can read along.</p>
      <p className="faint">It comes back when you close this panel.</p>
    </div>
  );
}
