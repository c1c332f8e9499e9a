import { X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useHoldFocus } from "../frame/hold-focus.ts";
import { useHistory } from "../frame/live.ts";
import type { ComputerApi } from "../server/computer-api.ts";
import { dayAndTime, number } from "../words.ts";
import { Detail } from "./detail.tsx";
import { useDifferences } from "./differences.ts";
import type { History } from "./history.ts";
import { Moments } from "./moments.tsx";
import { Slider } from "./slider.tsx";
import { TreeAt } from "./tree-at.ts";
import { TreeView } from "./tree-view.tsx";

type View = "moments" | "files" | "detail";
const VIEWS: readonly [View, string][] = [
  ["moments", "Moments"],
  ["files", "Files"],
  ["detail", "Changes"],
];

interface TimeParts {
  readonly api: ComputerApi;
  readonly history: History;
  onClose(): void;
}

/** The whole computer at any moment, read-only, and the ways back. */
export function TimeMachine({ api, history, onClose }: TimeParts) {
  useHistory(history);
  const [wish, setWish] = useState<number>(); // `undefined`: now, and it stays now when more happens
  const [chosen, setChosen] = useState<string>();
  const [view, setView] = useState<View>("moments");
  const seq = Math.min(wish ?? history.head, history.head);
  const treeAt = useTreeAt(api, history, seq);
  const differences = useDifferences(api, seq, history);
  const heading = useRef<HTMLHeadingElement>(null);
  useHoldFocus(heading);

  const move = (to: number) => setWish(to >= history.head ? undefined : to);
  const choose = (key: string) => {
    setChosen(key);
    if (treeAt.tree.get(key)?.kind !== "dir") setView("detail");
  };
  const moment = history.at(seq);

  return (
    <section className="time" aria-labelledby="time-title" data-view={view}>
      <header className="time-head">
        <h2 id="time-title" tabIndex={-1} ref={heading}>
          Time machine
        </h2>
        <span className="time-where">
          {seq === history.head ? (
            <b className="gold-text">Now</b>
          ) : (
            <b>{moment === undefined ? "…" : dayAndTime(moment.event.ts)}</b>
          )}
          <span className="faint">
            {" "}
            event {number.format(seq)} of {number.format(history.head)}
          </span>
        </span>
        <span className="grow" />
        <button type="button" className="button" disabled={wish === undefined} onClick={() => setWish(undefined)}>
          Now
        </button>
        <button type="button" className="bar-icon" aria-label="Close the time machine" onClick={onClose}>
          <X aria-hidden="true" size={16} />
        </button>
      </header>
      <Slider history={history} seq={seq} onMove={move} />
      <fieldset className="segments views">
        <legend className="sr-only">Part of the time machine</legend>
        {VIEWS.map(([value, words]) => (
          <label key={value}>
            <input type="radio" name="view" checked={view === value} onChange={() => setView(value)} />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      <div className="time-body">
        <div className="time-moments">
          <Moments history={history} seq={seq} onMove={move} />
        </div>
        <div className="time-files">
          {treeAt.problem !== undefined && (
            <p className="said warn" role="alert">
              {treeAt.problem}
            </p>
          )}
          {treeAt.problem === undefined && differences.problem !== undefined && (
            <p className="said warn" role="alert">
              What became of these since isn't known. {differences.problem}
            </p>
          )}
          <TreeView
            tree={treeAt.tree}
            version={treeAt.version()}
            at={treeAt.at}
            loading={treeAt.loading}
            {...{ differences, chosen }}
            onChoose={choose}
          />
        </div>
        <Detail
          {...{ api, history, seq, differences }}
          tree={treeAt.tree}
          chosen={chosen}
          onUnchoose={() => setChosen(undefined)}
          onNow={() => setWish(undefined)}
        />
      </div>
    </section>
  );
}

function useTreeAt(api: ComputerApi, history: History, seq: number): TreeAt {
  const { round } = history;
  const [treeAt] = useState(() => new TreeAt(api, history));
  useSyncExternalStore(treeAt.subscribe, treeAt.version);
  useEffect(() => {
    if (seq > 0) void treeAt.go(seq);
  }, [treeAt, seq, round]);
  useEffect(() => () => treeAt.close(), [treeAt]);
  return treeAt;
}
