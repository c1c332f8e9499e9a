import { plainText, shownKey } from "@choiros/contract";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import { size } from "../words.ts";
import { afterRest } from "./differences.ts";
import { type FileStart, fileUrl, MOST_BYTES, readStart } from "./file-start.ts";

interface ThenParts {
  readonly api: ComputerApi;
  readonly fileKey: string;
  readonly at: number;
  readonly round: number;
}

/** A file as it was: its text, or where it is none or long, a way to have it. */
export function Then({ api, fileKey, at, round }: ThenParts) {
  const [start, setStart] = useState<FileStart | null>();
  const [problem, setProblem] = useState<string>();
  const url = fileUrl(api.id, fileKey, at);
  useEffect(() => {
    setStart(undefined);
    setProblem(undefined);
    return afterRest(async (signal) => {
      try {
        setStart((await readStart(url, signal)) ?? null);
      } catch (error) {
        if (!signal.aborted) setProblem(sentence(error));
      }
    });
  }, [url, round]);
  if (problem !== undefined) return <p className="said warn">{problem}</p>;
  if (start === undefined) return <p className="waiting" aria-busy="true" />;
  if (start === null)
    return (
      <p className="empty faint">
        It can't be shown here. The command line can: <code>{catCommand(api.id, fileKey, at)}</code>
      </p>
    );
  const { bytes, text } = start;
  if (bytes === 0) return <p className="empty faint">It was an empty file.</p>;
  if (text.includes("\0")) return <Whole url={url} words={`This is no text, but ${size(bytes)} of something else.`} />;
  return (
    <>
      {bytes > MOST_BYTES && <Whole url={url} words={`The first ${size(MOST_BYTES)} of ${size(bytes)} are shown.`} />}
      <pre className="code whole">{plainText(text)}</pre>
    </>
  );
}

/** As a shell takes it, whatever is in the name. */
function catCommand(computer: string, fileKey: string, at: number): string {
  const path = shownKey(fileKey).replaceAll("'", "'\\''");
  return `npx choir cat '${path}' --at ${at} --user ${computer}`;
}

function Whole({ url, words }: { url: string; words: string }) {
  return (
    <p className="said">
      <span className="grow">{words}</span>
      <a className="button" href={url} download>
        <Download aria-hidden="true" size={14} />
        Download it
      </a>
    </p>
  );
}
