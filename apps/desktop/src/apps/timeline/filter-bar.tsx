import { Source } from "@choiros/contract";
import { SlidersHorizontal, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { SearchField } from "../../shown/search-field.tsx";
import { number } from "../../words.ts";
import { AGES, type Age, type Filter, KINDS, type Kind, NO_FILTER, namedEvent, SOURCES, withField } from "./filter.ts";

interface FilterParts {
  readonly desk: DeskApi;
  readonly filter: Filter;
  readonly field: RefObject<HTMLInputElement | null>;
  onFilter(filter: Filter): void;
  /** Somebody named an event, or has a link to one. */
  onGo(seq: number): void;
}

/** What is typed is asked for when it pauses. */
const PAUSE_MS = 250;

/** Which of all that happened is shown. */
export function FilterBar({ desk, filter, field, onFilter, onGo }: FilterParts) {
  const { text: _, ...others } = filter;
  const used = Object.keys(others).length;
  const [open, setOpen] = useState(used > 0);
  const [text, setText] = useTyped(filter.text ?? "", (typed) => {
    if (namedEvent(typed) === undefined) onFilter(withField(filter, "text", typed));
  });
  const named = namedEvent(text);
  const go = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || named === undefined) return;
    event.preventDefault();
    setText("", true);
    onGo(named);
  };
  return (
    <search className="filters" aria-label="What is shown">
      <div className="filter-row">
        <SearchField
          hint="Words in asks, commands and paths, or #event"
          label="Words in asks, commands and paths, or the number of an event"
          words={text}
          field={field}
          onWords={setText}
          onKeyDown={go}
        >
          <span className="filter-go" role="status">
            {named !== undefined && `Enter opens event ${number.format(named)}`}
          </span>
        </SearchField>
        <button
          type="button"
          className="button quiet"
          aria-expanded={open}
          aria-label={used > 0 ? `Filters, ${used} in use` : "Filters"}
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal aria-hidden="true" size={14} />
          <span className="filter-word">Filters</span>
          {used > 0 && <span className="filter-used">{used}</span>}
        </button>
      </div>
      {open && <Fields {...{ desk, filter, onFilter }} isUsed={used > 0} />}
    </search>
  );
}

function Fields({
  desk,
  filter,
  onFilter,
  isUsed,
}: Pick<FilterParts, "desk" | "filter" | "onFilter"> & { isUsed: boolean }) {
  const isSpan = filter.since !== undefined || filter.until !== undefined;
  const [span, setSpan] = useState(isSpan);
  const setAge = (value: string) => {
    setSpan(value === "span");
    const { age: _, since: __, until: ___, ...rest } = filter;
    const age = isAge(value) ? { age: value } : {};
    onFilter(value === "span" ? { ...rest, since: startOfDay() } : { ...rest, ...age });
  };
  return (
    <div className="filter-row filter-fields">
      <Pick
        label="Who"
        value={filter.source ?? ""}
        none="Anybody"
        options={SOURCES}
        onPick={(value) => onFilter(withField(filter, "source", Source.safeParse(value).data))}
      />
      <Pick
        label="What"
        value={filter.kind ?? ""}
        none="Everything"
        options={labelsOf(KINDS)}
        onPick={(value) => onFilter(withField(filter, "kind", value as Kind | ""))} // one of the options
      />
      <PathField {...{ desk, filter, onFilter }} />
      <Pick
        label="When"
        value={filter.age ?? (span || isSpan ? "span" : "")}
        none="Any time"
        options={{ ...labelsOf(AGES), span: "From … to …" }}
        onPick={setAge}
      />
      {(span || isSpan) && filter.age === undefined && (
        <>
          <Named label="From">
            <input
              type="datetime-local"
              aria-label="From"
              value={filter.since ?? ""}
              onChange={({ target }) => onFilter(withField(filter, "since", target.value))}
            />
          </Named>
          <Named label="To">
            <input
              type="datetime-local"
              aria-label="To"
              value={filter.until ?? ""}
              onChange={({ target }) => onFilter(withField(filter, "until", target.value))}
            />
          </Named>
        </>
      )}
      {filter.cause !== undefined && (
        <button type="button" className="filter-chip" onClick={() => onFilter(withField(filter, "cause", undefined))}>
          Of one {filter.cause.kind === "call" ? "command" : filter.cause.kind}
          <X aria-label="Remove" size={12} />
        </button>
      )}
      {isUsed && (
        <button
          type="button"
          className="word"
          onClick={() => {
            setSpan(false);
            onFilter(withField(NO_FILTER, "text", filter.text));
          }}
        >
          Clear
        </button>
      )}
    </div>
  );
}

/** A path, completed from those that there are. */
function PathField({ desk, filter, onFilter }: Pick<FilterParts, "desk" | "filter" | "onFilter">) {
  const id = useId();
  const [paths, setPaths] = useState<readonly string[]>([]);
  const [path, setPath] = useTyped(filter.path ?? "", (typed) => onFilter(withField(filter, "path", typed.trim())));
  useEffect(() => {
    if (path.trim() === "") return setPaths([]);
    const ended = new AbortController();
    desk.files.find(path, 12, { signal: ended.signal }).then(
      (found) => setPaths(found.map(({ key }) => (key.startsWith("workspace/") ? key.slice(10) : `/${key}`))),
      () => {}, // it is only not completed
    );
    return () => ended.abort();
  }, [desk, path]);
  return (
    <Named label="Where">
      <input
        aria-label="Where"
        value={path}
        list={id}
        placeholder="Anywhere"
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setPath(target.value)}
      />
      <datalist id={id}>
        {paths.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </Named>
  );
}

interface PickParts {
  readonly label: string;
  readonly value: string;
  readonly none: string;
  readonly options: Readonly<Record<string, string>>;
  onPick(value: string): void;
}

function Pick({ label, value, none, options, onPick }: PickParts) {
  return (
    <Named label={label}>
      <select aria-label={label} value={value} data-used={value !== ""} onChange={({ target }) => onPick(target.value)}>
        <option value="">{none}</option>
        {Object.entries(options).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </Named>
  );
}

function Named({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: what is inside it is one
    <label className="filter-field">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** A field that is heard when typing pauses, and follows what others make of it. */
function useTyped(
  value: string,
  onTyped: (typed: string) => void,
): [string, (typed: string, silent?: boolean) => void] {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const heard = useRef(onTyped);
  heard.current = onTyped;
  /** What was heard from here: it comes back, and isn't news. */
  const asked = useRef(value);
  useEffect(() => {
    if (value === asked.current.trim() || value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string, silent = false) => {
    setTyped(next);
    clearTimeout(timer.current);
    if (silent) return;
    timer.current = setTimeout(() => {
      asked.current = next;
      heard.current(next);
    }, PAUSE_MS);
  };
  return [typed, type];
}

function labelsOf(table: Readonly<Record<string, { readonly label: string }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([name, { label }]) => [name, label]));
}

function isAge(value: string): value is Age {
  return Object.hasOwn(AGES, value);
}

/** As a field for a time on somebody's own clock writes it. */
function startOfDay(): string {
  const now = new Date();
  const two = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}T00:00`;
}
