import { plain } from "@choiros/contract";
import { FileQuestion, Link2, TriangleAlert } from "lucide-react";
import { useEffect } from "react";
import { linkTarget } from "../../shown/link-target.ts";
import type { AppProps } from "../app.ts";
import { MAX_BYTES } from "./load.ts";
import { folderOf, nameOf, sizeWords } from "./names.ts";
import type { NoTextLoaded } from "./use-opened.ts";

interface NoTextParts extends AppProps {
  readonly file: string;
  readonly opened: NoTextLoaded;
  onAgain(): void;
}

/** What can't be edited says what it is, and what can be done. */
export function NoText({ window, desk, file, opened, onAgain }: NoTextParts) {
  const name = nameOf(file);
  const { setTitle } = window;
  useEffect(() => setTitle(name), [name]);
  return (
    <div className="editor">
      <div className="ed-none">
        {opened.is === "failed" ? (
          <TriangleAlert aria-hidden="true" size={28} />
        ) : opened.is === "link" ? (
          <Link2 aria-hidden="true" size={28} />
        ) : (
          <FileQuestion aria-hidden="true" size={28} />
        )}
        <h3>{name}</h3>
        {opened.is === "binary" && (
          <>
            <p>
              {opened.kind}, {sizeWords(opened.size)}
            </p>
            <p className="soft">This isn't text, so it can't be edited here. It begins like this:</p>
            <section className="ed-hex" aria-label="The first bytes">
              <pre>{opened.hex}</pre>
            </section>
          </>
        )}
        {opened.is === "large" && (
          <p className="soft">
            It has {sizeWords(opened.size)}. Text of up to {sizeWords(MAX_BYTES)} can be edited here; the bar can look
            into larger files, for example with <code>run head {name}</code>.
          </p>
        )}
        {opened.is === "link" && <LinkTo to={opened.to} {...{ desk, file }} />}
        {opened.is === "failed" && (
          <>
            <p className="soft">{opened.words}</p>
            <button type="button" className="button" onClick={onAgain}>
              Try again
            </button>
          </>
        )}
      </div>
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
