import "./toolbar.css";
import { parentKey } from "@choiros/contract";
import {
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronRight,
  Ellipsis,
  LayoutGrid,
  List,
  PanelRight,
  Plus,
} from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { SearchField } from "../../shown/search-field.tsx";
import type { useDrops } from "./drops.ts";
import { crumbsOf, shownName } from "./keys.ts";
import type { useWays } from "./ways.ts";

interface ToolbarParts {
  readonly ways: ReturnType<typeof useWays>;
  readonly drops: ReturnType<typeof useDrops>;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Where its button stands. */
  onNew(x: number, y: number): void;
  onMore(x: number, y: number): void;
}

/** Where one is, how to get elsewhere, and how it is shown. */
export function Toolbar(parts: ToolbarParts) {
  const { drops } = parts;
  const { place, go, change, back, forward } = parts.ways;
  const up = parentKey(place.key);
  const below = (open: (x: number, y: number) => void) => (event: MouseEvent) => {
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    open(left, bottom + 4);
  };
  return (
    <div className="files-bar" role="toolbar" aria-label="Folder">
      <Tool label="Back" disabled={!parts.ways.canGoBack} onClick={back} className="files-wide">
        <ArrowLeft aria-hidden="true" size={16} />
      </Tool>
      <Tool label="Forward" disabled={!parts.ways.canGoOn} onClick={forward} className="files-wide">
        <ArrowRight aria-hidden="true" size={16} />
      </Tool>
      <Tool label="Up" disabled={up === undefined} onClick={() => up !== undefined && go(up)}>
        <ArrowUp aria-hidden="true" size={16} />
      </Tool>
      <nav className="files-crumbs" aria-label="Way to this folder">
        {crumbsOf(place.key).map((key, i, all) => (
          <span key={key} className="files-crumb">
            {i > 0 && <ChevronRight aria-hidden="true" size={13} className="faint" />}
            <button
              type="button"
              aria-current={i === all.length - 1 ? "page" : undefined}
              data-target={drops.target === key && i < all.length - 1}
              onClick={() => go(key)}
              {...drops.dropProps(() => key)}
            >
              <bdi>{shownName(key)}</bdi>
            </button>
          </span>
        ))}
      </nav>
      <FindField folder={place.key} find={place.find} field={parts.field} onFind={parts.ways.find} />
      <Tool label="New" onClick={below(parts.onNew)}>
        <Plus aria-hidden="true" size={16} />
      </Tool>
      <Tool
        label={place.view === "grid" ? "Show as a list" : "Show as a grid"}
        onClick={() => change({ view: place.view === "grid" ? "list" : "grid" })}
      >
        {place.view === "grid" ? <List aria-hidden="true" size={16} /> : <LayoutGrid aria-hidden="true" size={15} />}
      </Tool>
      <Tool
        label="Preview"
        pressed={place.pane !== "none"}
        onClick={() => change({ pane: place.pane === "none" ? "preview" : "none" })}
      >
        <PanelRight aria-hidden="true" size={16} />
      </Tool>
      <Tool label="What can be done" onClick={below(parts.onMore)}>
        <Ellipsis aria-hidden="true" size={16} />
      </Tool>
    </div>
  );
}

interface ToolParts {
  readonly label: string;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
  onClick(event: MouseEvent): void;
}

export function Tool({ label, pressed, className = "", children, ...rest }: ToolParts) {
  return (
    <button
      type="button"
      className={`files-tool ${className}`}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      {...rest}
    >
      {children}
    </button>
  );
}

const PAUSE_MS = 300;

interface FindParts {
  readonly folder: string;
  readonly find: string | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
  onFind(text: string | undefined): void;
}

/** Looks for names everywhere on the computer, as they are typed. Who goes to another folder leaves them behind. */
function FindField({ folder, find, field, onFind }: FindParts) {
  const [text, setText] = useState(find ?? "");
  /** What was asked for from here: it comes back, and isn't news. */
  const asked = useRef({ folder, find });
  useEffect(() => {
    if (find === asked.current.find && folder === asked.current.folder) return;
    asked.current = { folder, find };
    setText(find ?? "");
  }, [folder, find]);
  useEffect(() => {
    const wanted = text.trim() === "" ? undefined : text.trim();
    if (wanted === asked.current.find) return;
    const timer = setTimeout(() => {
      asked.current = { folder, find: wanted };
      onFind(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, folder, onFind]);
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || text === "") return;
    event.preventDefault();
    setText("");
  };
  return (
    <div className="files-find">
      <SearchField hint="Find" label="Find files" words={text} field={field} onWords={setText} onKeyDown={key} />
    </div>
  );
}
