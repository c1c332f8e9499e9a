import "./welcome.css";
import { plainText } from "@choiros/contract";
import { Check, CircleQuestionMark, Play, Sparkles, SquarePen, Undo2, Waypoints } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { watchDemo } from "../../asks/watch-demo.ts";
import { sentence } from "../../desk/problem.ts";
import { focusOn } from "../../focus.ts";
import type { AppProps } from "../app.ts";
import { useDone } from "./done.ts";
import { FOLDER, makeSamples, takeSamplesBack } from "./samples.ts";
import { useSamples } from "./samples-there.ts";
import { Tour } from "./tour.tsx";

const LINE = "wc -w Welcome/*";

/** The first minutes: four things to try, and a tour. Closed, it is found again on the desktop and in its menu. */
export default function Welcome({ desk }: AppProps) {
  const done = useDone(desk);
  const call = useSamples(desk);
  const [busy, setBusy] = useState(false);
  const [output, setOutput] = useState("");
  const [touring, setTouring] = useState(false);
  const around = useRef<HTMLButtonElement>(null);
  const leaveTour = () => {
    setTouring(false);
    focusOn(around.current);
  };

  const attempt = async (what: () => Promise<void>) => {
    setBusy(true);
    try {
      await what();
    } catch (error) {
      desk.notify({ text: sentence(error), kind: "wrong" });
    } finally {
      setBusy(false);
    }
  };
  const write = () =>
    attempt(async () => {
      const later = desk.later();
      const made = await makeSamples(desk);
      if (!made.outcome.ok) return desk.notifyDone("", made.outcome);
      later.openFile(made.first);
    });
  const run = () =>
    attempt(async () => {
      const there = await desk.files.list(FOLDER).catch(() => []); // no folder, nothing to count
      const made = there.length === 0 ? await makeSamples(desk) : undefined; // whoever begins with this one
      if (made?.outcome.ok === false) return desk.notifyDone("", made.outcome);
      const decoder = new TextDecoder();
      setOutput("");
      const onOutput = (bytes: Uint8Array) => setOutput((now) => now + decoder.decode(bytes, { stream: true }));
      const ran = await desk.run(LINE, { onOutput });
      if (!ran.ok) setOutput(ran.message);
    });
  const undo = () =>
    attempt(async () => {
      if (call === undefined) return void desk.open("timeline");
      const outcome = await takeSamplesBack(desk, call);
      const others = await desk.files.list(FOLDER).catch(() => []);
      const stays = others.length > 0 ? "; what you put there yourself stays" : "";
      desk.notifyDone(`The files are taken back${stays}`, outcome);
    });

  return (
    <div className="welcome">
      {touring && <Tour onLeave={leaveTour} />}
      <h3>This computer remembers</h3>
      <p className="soft">
        Everything that happens here is kept, whoever did it: you, a command, an agent. And everything can be undone.
        Four things to try:
      </p>
      <ol>
        <Try title="Write" icon={<SquarePen aria-hidden="true" size={16} />} isDone={done.has("write")}>
          <p className="soft">
            Three small files in {FOLDER.slice("workspace/".length)}, to write in. It saves by itself.
          </p>
          <button type="button" className="button" disabled={busy} onClick={write}>
            Make them, and open one
          </button>
        </Try>
        <Try title="Run" icon={<Play aria-hidden="true" size={16} />} isDone={done.has("run")}>
          <p className="soft">
            A command on your files, apart from the rest of the machine. In the bar: <code>run {LINE}</code>
          </p>
          <button type="button" className="button" disabled={busy} onClick={run}>
            Count the words
          </button>
          {output !== "" && (
            <pre className="welcome-output" role="status">
              {plainText(output)}
            </pre>
          )}
        </Try>
        <Try title="Undo" icon={<Undo2 aria-hidden="true" size={16} />} isDone={done.has("undo")}>
          <p className="soft">
            {call === undefined ? (
              "Timeline shows what happened, and takes any of it back."
            ) : (
              <>
                The files go with one undo, with what you wrote in them. Say <code>redo</code>, and they are back.
              </>
            )}
          </p>
          <button type="button" className="button" disabled={busy} onClick={undo}>
            {call === undefined ? "Open Timeline" : "Take the files back"}
          </button>
        </Try>
        <Try title="Ask" icon={<Sparkles aria-hidden="true" size={16} />} isDone={done.has("ask")}>
          <p className="soft">
            See an ask planned, done and checked, by a script in place of a model. Then take it all back.
          </p>
          <button type="button" className="button" disabled={busy} onClick={() => void attempt(() => watchDemo(desk))}>
            Watch the scripted demo
          </button>
        </Try>
      </ol>
      <footer>
        <button ref={around} type="button" className="button" onClick={() => setTouring(true)}>
          <Waypoints aria-hidden="true" size={14} />
          Look around
        </button>
        <button type="button" className="button quiet" onClick={() => desk.open("help")}>
          <CircleQuestionMark aria-hidden="true" size={14} />
          Help
        </button>
      </footer>
    </div>
  );
}

interface TryParts {
  readonly title: string;
  readonly icon: ReactNode;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Try({ title, icon, isDone, children }: TryParts) {
  return (
    <li data-done={isDone}>
      <span className="welcome-icon">{isDone ? <Check aria-hidden="true" size={16} /> : icon}</span>
      <div>
        <h4>
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </h4>
        {children}
      </div>
    </li>
  );
}
