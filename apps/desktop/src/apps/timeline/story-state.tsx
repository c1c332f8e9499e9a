import type { ReactNode } from "react";
import { number } from "../../words.ts";
import type { Story } from "./story.ts";

/** Below the lines: what is still looked for, what went wrong, or that there is nothing, and what can be done about it. */
export function StoryState({ story, onClear }: { story: Story; onClear(): void }) {
  const { complete, looking, problem, query, stopped, total } = story;
  if (problem !== undefined)
    return (
      <State words={problem} alert>
        <button type="button" className="button" onClick={() => story.retry()}>
          Try again
        </button>
      </State>
    );
  if (query === undefined) return total === 0 ? <State words="Nothing has happened yet." /> : null;
  if (complete)
    return total > 0 ? null : (
      <State words="Nothing like that happened.">
        <button type="button" className="button" onClick={onClear}>
          Show everything
        </button>
      </State>
    );
  if (stopped)
    return (
      <State words="The search was stopped.">
        <button type="button" className="button" onClick={() => story.retry()}>
          Look further
        </button>
      </State>
    );
  if (looking === undefined) return <State words="Looking…" />;
  return (
    <State words={`Looked at ${number.format(looking.done)} of ${number.format(looking.total)} events…`}>
      <button type="button" className="button" onClick={() => story.stop()}>
        Stop
      </button>
    </State>
  );
}

function State({ words, alert = false, children }: { words: string; alert?: boolean; children?: ReactNode }) {
  return (
    <div className="story-state" role={alert ? "alert" : "status"}>
      <p className="soft">{words}</p>
      {children}
    </div>
  );
}
