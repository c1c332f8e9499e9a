import "./files.css";
import { useEffect, useMemo, useRef, useState } from "react";
import type { FileLine } from "../../desk/shapes.ts";
import { focusOn } from "../../focus.ts";
import { useWatched } from "../../watched.ts";
import type { AppProps } from "../app.ts";
import { actionsOn } from "./actions.ts";
import { useChosen } from "./chosen.ts";
import { clipboard } from "./clipboard.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { commandsOn } from "./commands.ts";
import { useDrops } from "./drops.ts";
import { FileList } from "./file-list.tsx";
import { FolderView } from "./folder-view.ts";
import { Instead } from "./instead.tsx";
import { shownName } from "./keys.ts";
import { SidePane } from "./side-pane.tsx";
import { sorted } from "./sorting.ts";
import { StatusLine } from "./status-line.tsx";
import { Toolbar } from "./toolbar.tsx";
import { TransferStrip } from "./transfer-strip.tsx";
import { useRenaming } from "./use-renaming.ts";
import { useWays } from "./ways.ts";

const NONE: readonly FileLine[] = [];

export default function Files({ window, desk }: AppProps) {
  const ways = useWays(window);
  const { place, change, go } = ways;
  const { key: folder, find, by, down } = place;
  const isFound = find !== undefined;
  const view = useMemo(() => new FolderView(desk, folder, find), [desk, folder, find]);
  useEffect(() => view.start(), [view]);
  const seen = useWatched(view.seen);
  const listed = seen.is === "here" ? seen.lines : NONE;
  // What was found comes with the best first.
  const lines = useMemo(() => (isFound ? listed : sorted(listed, { by, down })), [isFound, listed, by, down]);
  const order = useMemo(() => lines.map(({ key }) => key), [lines]);
  const { selection, select, choose } = useChosen(view, order, place.select);
  const chosen = useMemo(() => lines.filter(({ key }) => selection.keys.has(key)), [lines, selection.keys]);
  const [renaming, setRenaming] = useRenaming(desk, view, order);
  const clip = useWatched(clipboard);
  const findField = useRef<HTMLInputElement>(null);
  const filePicker = useRef<HTMLInputElement>(null);
  const folderPicker = useRef<HTMLInputElement>(null);

  const rename = (named: string) => {
    setRenaming(named);
    return () => setRenaming((now) => (now === named ? undefined : now));
  };
  const actions = actionsOn({ desk, view, folder, isFound, chosen, choose, rename });
  const pickFiles = (folders: boolean) => (folders ? folderPicker : filePicker).current?.click();
  const toFind = () => focusOn(findField.current);
  const commands = commandsOn({ desk, ways, actions, chosen, pickFiles, toFind, rename });
  const drops = useDrops({
    onKeys: (verb, from, to) => void actions.place(verb, from, to),
    onHost: (incoming, to) => void actions.upload(incoming, to),
  });
  // Once what is chosen was drawn: a menu is for that.
  const [menuWanted, setMenuWanted] = useState<readonly [number, number]>();
  useEffect(() => {
    if (menuWanted === undefined) return;
    setMenuWanted(undefined);
    commands.menu(...menuWanted);
  });

  const shared = { desk, lines, chosen, isFound, seen, place, drops, actions, pickFiles };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are for all that is in it
    <div className="files" onKeyDown={commands.keyAnywhere}>
      <Toolbar ways={ways} drops={drops} field={findField} onNew={commands.newMenu} onMore={commands.menu} />
      <div className="files-main">
        <div className="files-left" aria-busy={seen.is === "coming"}>
          {place.view === "list" && !isFound && <ColumnHeads order={{ by, down }} onOrder={change} />}
          {seen.is !== "here" || lines.length === 0 ? (
            <Instead
              {...shared}
              inFront={window.inFront}
              onGo={go}
              onAgain={() => void view.look()}
              onMenu={commands.menu}
              onClip={commands.clip}
            />
          ) : (
            <FileList
              {...shared}
              {...{ folder, order, selection, renaming }}
              label={isFound ? `Found: ${find}` : shownName(folder)}
              isGrid={place.view === "grid"}
              inFront={window.inFront}
              cut={clip?.verb === "move" ? clip.keys : undefined}
              onSelect={select}
              onOpen={(line) => commands.open([line])}
              onMenu={(x, y) => setMenuWanted([x, y])}
              onName={(key, name) => {
                setRenaming(undefined);
                if (name !== undefined) void actions.giveName(key, name);
              }}
              onKey={commands.key}
              onClip={commands.clip}
            />
          )}
        </div>
        {place.pane !== "none" && <SidePane {...shared} which={place.pane} onWhich={commands.pane} />}
      </div>
      <TransferStrip />
      <StatusLine {...shared} onVersions={() => commands.pane("versions")} />
      <input ref={filePicker} type="file" multiple hidden onChange={(event) => commands.picked(event.currentTarget)} />
      <input
        ref={folderPicker}
        type="file"
        hidden
        {...{ webkitdirectory: "" }}
        onChange={(event) => commands.picked(event.currentTarget)}
      />
    </div>
  );
}
