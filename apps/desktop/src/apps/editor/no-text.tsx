import { plain } from "@choiros/contract";
import { FileQuestion, Folder, Link2, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { focusOn } from "../../focus.ts";
import { linkTarget } from "../../shown/link-target.ts";
import { fileSize } from "../../words.ts";
import type { AppProps } from "../app.ts";
import { MAX_BYTES } from "./load.ts";
import { folderOf, nameOf, shellPath } from "./names.ts";
import { Picture } from "./picture.tsx";
import type { NoTextLoaded } from "./use-opened.ts";

interface NoTextParts extends AppProps {
  readonly file: string;
  readonly opened: NoTextLoaded;
  onAgain(): void;
}

/** What can't be edited is shown where it is a picture; else it says what it is, and what can be done. */
export function NoText({ window, desk, file, opened, onAgain }: NoTextParts) {
  const name = nameOf(file);
  const { setTitle } = window;
  useEffect(() => setTitle(name), [name]);
  const said = <Said {...{ desk, file, opened, onAgain }} />;
  const isPicture = opened.is === "binary" && opened.picture !== undefined;
  return (
    <div className="editor">
      {isPicture ? <Picture bytes={opened.picture} name={name} words={whatIs(opened)} instead={said} /> : said}
    </div>
  );
}

function whatIs({ kind, size }: Extract<NoTextLoaded, { is: "binary" }>): string {
  return `${kind}, ${fileSize(size)}`;
}

function Said({ desk, file, opened, onAgain }: Omit<NoTextParts, "window">) {
  const name = nameOf(file);
  return (
    <div className="ed-none">
      {opened.is === "failed" ? (
        <TriangleAlert aria-hidden="true" size={28} />
      ) : opened.is === "link" ? (
        <Link2 aria-hidden="true" size={28} />
      ) : opened.is === "folder" ? (
        <Folder aria-hidden="true" size={28} />
      ) : (
        <FileQuestion aria-hidden="true" size={28} />
      )}
      <h3>{name}</h3>
      {opened.is === "binary" && (
        <>
          <p>{whatIs(opened)}</p>
          <p className="soft">This isn't text, so it can't be edited here. It begins like this:</p>
          <section className="ed-hex" aria-label="The first bytes">
            <pre>{opened.hex}</pre>
          </section>
        </>
      )}
      {opened.is === "large" && (
        <p className="soft">
          It has {fileSize(opened.size)}. Text of up to {fileSize(MAX_BYTES)} can be edited here; the bar can look into
          larger files, for example with <code>run head {plain(shellPath(file))}</code>.
        </p>
      )}
      {opened.is === "link" && <LinkTo to={opened.to} {...{ desk, file }} />}
      {opened.is === "folder" && (
        <>
          <p className="soft">This is a folder.</p>
          <button type="button" className="button" onClick={() => desk.openFile(file, "folder")}>
            Show in Files
          </button>
        </>
      )}
      {opened.is === "failed" && (
        <>
          <p className="soft">{opened.words}</p>
          <button
            type="button"
            className="button"
            onClick={({ currentTarget }) => {
              focusOn(currentTarget.closest<HTMLElement>(".window")); // as this button goes: it keeps what is typed
              onAgain();
            }}
          >
            Try again
          </button>
        </>
      )}
    </div>
  );
}

function LinkTo({ to, desk, file }: Pick<NoTextParts, "desk" | "file"> & { to: string }) {
  const target = linkTarget(to.split("/").map(encodeURIComponent).join("/"), folderOf(file));
  return (
    <>
      <p className="soft">
        This is a link to <code>{plain(to)}</code>.
      </p>
      {target.is === "file" && !to.startsWith("/") && (
        <button type="button" className="button" onClick={() => desk.openFile(target.key)}>
          Open that
        </button>
      )}
    </>
  );
}
