import type { WindowValue } from "@choiros/contract";
import { RotateCw, X } from "lucide-react";
import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import type { AppProps, Manifest, WindowHandle } from "../apps/app.ts";
import type { DeskApi } from "../desk/api.ts";
import { useWatched } from "../watched.ts";
import { takeEarly } from "./early-keys.ts";
import { faults, forgetFault } from "./faults.ts";
import { loadApp, NotLoaded } from "./load-app.ts";
import type { Windowing } from "./windowing.ts";

interface PlaceParts {
  readonly id: string;
  readonly window: WindowValue;
  readonly app: Manifest | undefined;
  readonly inFront: boolean;
  readonly away: boolean;
  readonly windowing: Windowing;
  readonly desk: DeskApi;
}

/**
 * Where an app lives. It is loaded when it is first in sight; if it throws, that stays within its window: in its place where
 * it can't be drawn, else above it.
 */
export function AppPlace({ id, window, app, inFront, away, windowing, desk }: PlaceParts) {
  const [round, setRound] = useState(0);
  const seen = useRef(!away);
  seen.current ||= !away;
  // Another one with each round: a chunk that couldn't be loaded is asked for again.
  const App = useMemo(() => lazyApp(app, round), [app, round]);
  const { args } = window;
  const handle = useMemo<WindowHandle>(
    () => ({
      id,
      args,
      inFront,
      setTitle: (title) => windowing.amend(id, { title }),
      setArgs: (next) => windowing.amend(id, { args: next }),
      close: () => void windowing.close(id),
      takeEarly: () => takeEarly(id),
      onClose: (guard) => windowing.guard(id, guard),
      hold: (holds) => windowing.hold(id, holds),
    }),
    [id, args, inFront, windowing],
  );
  const fault = useWatched(faults).get(id);
  const forget = useCallback(() => forgetFault(id), [id]);
  useEffect(() => forget, [forget]);
  useEffect(() => () => void takeEarly(id), [id]);
  const reload = () => {
    forget();
    setRound((now) => now + 1);
  };
  if (!seen.current) return null;
  if (App === undefined)
    return (
      <Broken
        words={`There is no app “${window.app}” here.`}
        detail="It may be one of another version. Its window stays as it is."
      />
    );
  return (
    <>
      {fault !== undefined && <Faulty detail={fault} onReload={reload} onSeen={forget} />}
      <Boundary key={round} desk={desk} onReload={reload}>
        <Suspense fallback={<div className="app app-loading" aria-busy="true" />}>
          <div className="app">
            <App window={handle} desk={desk} />
          </div>
        </Suspense>
      </Boundary>
    </>
  );
}

function lazyApp(app: Manifest | undefined, _round: number): ComponentType<AppProps> | undefined {
  return app === undefined ? undefined : lazy(() => loadApp(app));
}

interface BoundaryParts {
  readonly children: ReactNode;
  readonly desk: DeskApi;
  onReload(): void;
}

/** React has no other way to catch what a component throws. */
class Boundary extends Component<BoundaryParts, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error("it threw nothing") };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const detail = error instanceof Error ? error.message : String(error);
    const { desk, onReload } = this.props;
    const again = { label: "Reload it", run: onReload };
    if (!(error instanceof NotLoaded)) return <Broken words="This app has stopped." detail={detail} action={again} />;
    if (!error.isOutdated) return <NotHere {...{ detail, desk, onReload }} />;
    const anew = { label: "Load the page anew", run: () => location.reload() };
    return <Broken words="This page is older than the server." detail={detail} action={anew} />;
  }
}

/** Its code is asked for again as soon as there is a connection again, and by wish. */
function NotHere({ detail, desk, onReload }: { detail: string; desk: DeskApi; onReload(): void }) {
  const reload = useEffectEvent(onReload);
  useEffect(() => {
    const again = () => reload();
    addEventListener("online", again);
    const leave = desk.connection.watch(() => desk.connection.get() === "live" && again());
    return () => {
      removeEventListener("online", again);
      leave();
    };
  }, [desk]);
  const action = { label: "Reload it", run: onReload };
  return <Broken words="This app couldn't be loaded." {...{ detail, action }} />;
}

/** It lives on as far as it can: what somebody has in it isn't taken away from them. */
function Faulty({ detail, onReload, onSeen }: { detail: string; onReload(): void; onSeen(): void }) {
  return (
    <div className="app-fault" role="alert">
      <p>
        Something in this app went wrong. <span className="soft mono">{detail}</span>
      </p>
      <button type="button" className="button" onClick={onReload}>
        <RotateCw aria-hidden="true" size={14} />
        Reload it
      </button>
      <button type="button" className="app-fault-seen" aria-label="Dismiss" onClick={onSeen}>
        <X aria-hidden="true" size={14} />
      </button>
    </div>
  );
}

interface BrokenParts {
  readonly words: string;
  readonly detail: string;
  readonly action?: { readonly label: string; run(): void };
}

function Broken({ words, detail, action }: BrokenParts) {
  return (
    <div className="app app-broken" role="alert">
      <p>{words}</p>
      <p className="soft mono">{detail}</p>
      {action !== undefined && (
        <button type="button" className="button" onClick={action.run}>
          <RotateCw aria-hidden="true" size={14} />
          {action.label}
        </button>
      )}
    </div>
  );
}
