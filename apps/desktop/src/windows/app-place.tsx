import type { WindowValue } from "@choiros/contract";
import { RotateCw } from "lucide-react";
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useMemo, useRef, useState } from "react";
import type { AppProps, Manifest, WindowHandle } from "../apps/app.ts";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
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

/** Where an app lives. It is loaded when it is first in sight; if it throws, that stays within its window. */
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
      onClose: (guard) => windowing.guard(id, guard),
    }),
    [id, args, inFront, windowing],
  );
  if (!seen.current) return null;
  if (App === undefined)
    return (
      <Broken
        words={`There is no app “${window.app}” here.`}
        detail="It may be one of another version. Its window stays as it is."
      />
    );
  return (
    <Boundary key={round} onReload={() => setRound((now) => now + 1)}>
      <Suspense fallback={<div className="app app-loading" aria-busy="true" />}>
        <div className="app">
          <App window={handle} desk={desk} />
        </div>
      </Suspense>
    </Boundary>
  );
}

function lazyApp(app: Manifest | undefined, _round: number): ComponentType<AppProps> | undefined {
  return app === undefined ? undefined : lazy(() => app.load());
}

interface BoundaryParts {
  readonly children: ReactNode;
  onReload(): void;
}

/** React has no other way to catch what a component throws. */
class Boundary extends Component<BoundaryParts, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error("it threw nothing") };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <Broken words="This app has stopped." detail={sentence(this.state.error)} onReload={this.props.onReload} />;
  }
}

function Broken({ words, detail, onReload }: { words: string; detail: string; onReload?: () => void }) {
  return (
    <div className="app app-broken" role="alert">
      <p>{words}</p>
      <p className="soft mono">{detail}</p>
      {onReload !== undefined && (
        <button type="button" className="button" onClick={onReload}>
          <RotateCw aria-hidden="true" size={14} />
          Reload it
        </button>
      )}
    </div>
  );
}
