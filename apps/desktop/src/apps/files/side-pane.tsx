import "./pane.css";
import { X } from "lucide-react";
import type { DeskApi } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { whoName } from "../../shown/who.ts";
import { count, fileSize } from "../../words.ts";
import type { Actions } from "./actions.ts";
import { DeletedList } from "./deleted-list.tsx";
import { shownName } from "./keys.ts";
import { iconOf, kindWord } from "./kinds.ts";
import type { Place } from "./place.ts";
import { Preview } from "./preview.tsx";
import { Tool } from "./toolbar.tsx";
import { Versions } from "./versions.tsx";
import { whenWords } from "./when.ts";

interface PaneParts {
  readonly desk: DeskApi;
  readonly which: Which;
  readonly place: Place;
  readonly lines: readonly FileLine[];
  readonly chosen: readonly FileLine[];
  readonly actions: Actions;
  onWhich(which: Which | "none"): void;
}

type Which = Exclude<Place["pane"], "none">;
const TABS: readonly (readonly [Which, string])[] = [
  ["preview", "Preview"],
  ["versions", "Versions"],
  ["deleted", "Deleted"],
];

/** What is chosen: what is in it, and what it was; and what is in the folder no more. */
export function SidePane({ desk, which, place, lines, chosen, actions, onWhich }: PaneParts) {
  return (
    <aside className="files-pane" aria-label="About what is chosen">
      <header>
        <fieldset className="files-tabs" aria-label="Show">
          {TABS.map(([tab, title]) => (
            <button key={tab} type="button" aria-pressed={which === tab} onClick={() => onWhich(tab)}>
              {title}
            </button>
          ))}
        </fieldset>
        <Tool label="Close the pane" onClick={() => onWhich("none")}>
          <X aria-hidden="true" size={15} />
        </Tool>
      </header>
      {which === "deleted" ? (
        <DeletedList key={place.key} {...{ desk, lines }} folder={place.key} onBringBack={actions.bringBack} />
      ) : (
        <Chosen {...{ desk, which, chosen, actions }} />
      )}
    </aside>
  );
}

interface ChosenParts extends Pick<PaneParts, "desk" | "chosen" | "actions"> {
  readonly which: "preview" | "versions";
}

function Chosen({ desk, which, chosen, actions }: ChosenParts) {
  const [line] = chosen;
  if (line === undefined) return <p className="files-none">Choose a file to see what is in it, and what it was.</p>;
  if (chosen.length > 1) return <Several chosen={chosen} />;
  return (
    <>
      <About line={line} />
      {which === "preview" ? (
        <Preview key={line.key} desk={desk} line={line} />
      ) : (
        <Versions key={line.key} desk={desk} fileKey={line.key} onBringBack={actions.bringBack} />
      )}
    </>
  );
}

function About({ line }: { line: FileLine }) {
  const Icon = iconOf(line);
  const size = line.entry.kind === "dir" ? "" : ` · ${fileSize(line.entry.size)}`;
  return (
    <div className="files-about">
      <Icon aria-hidden="true" size={26} strokeWidth={1.4} className="gold-text" />
      <div className="grow">
        <h3>
          <bdi>{shownName(line.key)}</bdi>
        </h3>
        <p className="soft">
          {kindWord(line)}
          {size}
          {line.ts !== undefined && ` · ${whenWords(line.ts)}`}
          {line.by !== undefined && ` · ${whoName(line.by)}`}
        </p>
      </div>
    </div>
  );
}

function Several({ chosen }: { chosen: readonly FileLine[] }) {
  const bytes = chosen.reduce((sum, { entry }) => sum + (entry.kind === "dir" ? 0 : entry.size), 0);
  return (
    <p className="files-none">
      {count(chosen.length, "item")} are chosen, {fileSize(bytes)} in files.
    </p>
  );
}
