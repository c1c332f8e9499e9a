import { parentKey, plainText } from "@choiros/contract";
import { type ReactNode, useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { Markdown } from "../../shown/markdown.tsx";
import { fileSize } from "../../words.ts";
import { shownName } from "./keys.ts";
import { type Peek, peekAt } from "./peek.ts";

type Seen = Peek | { readonly is: "coming" } | { readonly is: "wrong"; readonly why: string };

/** What is in a file: text, Markdown, a picture. It follows when the file changes. */
export function Preview({ desk, line }: { desk: DeskApi; line: FileLine }) {
  const [seen, setSeen] = useState<Seen>({ is: "coming" });
  const { entry, key } = line;
  const hash = entry.kind === "dir" ? undefined : entry.hash;
  // The line is another object with each listing; what is in it, only with another hash.
  useEffect(() => {
    if (hash === undefined) return;
    const ended = new AbortController();
    peekAt(desk, line, ended.signal).then(
      (peek) => !ended.signal.aborted && setSeen(peek),
      (error: unknown) => !ended.signal.aborted && setSeen({ is: "wrong", why: sentence(error) }),
    );
    return () => ended.abort();
  }, [desk, key, hash]);
  if (entry.kind === "dir") return <p className="files-none">A folder. Open it to see what is in it.</p>;
  return <Shown seen={seen} line={line} size={entry.size} desk={desk} />;
}

function Shown({ seen, line, size, desk }: { seen: Seen; line: FileLine; size: number; desk: DeskApi }) {
  switch (seen.is) {
    case "coming":
      return <div className="files-coming" aria-busy="true" />;
    case "wrong":
      return <p className="files-none">{seen.why}</p>;
    case "gone":
      return <p className="files-none">It is gone.</p>;
    case "large":
      return <p className="files-none">At {fileSize(size)} it is too large to be shown here. Download it instead.</p>;
    case "bytes":
      return <p className="files-none">{fileSize(size)} that are no text. Download it, or open it with an app.</p>;
    case "picture":
      return <Picture bytes={seen.bytes} name={shownName(line.key)} />;
    case "markdown":
      return (
        <Text {...seen}>
          <Markdown text={seen.text} folder={parentKey(line.key) ?? ""} desk={desk} />
        </Text>
      );
    default:
      return (
        <Text {...seen}>
          <pre>{plainText(seen.text)}</pre>
        </Text>
      );
  }
}

function Picture({ bytes, name }: { bytes: Blob; name: string }) {
  const [address, setAddress] = useState<string>();
  const [broken, setBroken] = useState(false);
  const [words, setWords] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    setBroken(false);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  if (broken)
    return (
      <p className="files-none">This picture can't be shown: what is in it is none, or none that a browser knows.</p>
    );
  return (
    <figure className="files-picture">
      {address !== undefined && (
        <img
          src={address}
          alt={name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setWords(`${naturalWidth} × ${naturalHeight}`)
          }
          onError={() => setBroken(true)}
        />
      )}
      <figcaption className="faint">{words}</figcaption>
    </figure>
  );
}

function Text({ text, cut, children }: { text: string; cut: boolean; children: ReactNode }) {
  if (text === "") return <p className="files-none">It is empty.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="files-text" tabIndex={0} aria-label="What is in it">
      {children}
      {cut && <p className="faint">This is only its beginning.</p>}
    </section>
  );
}
