import "./help.css";
import { ArrowLeft, Search } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { focusOn } from "../../focus.ts";
import { slugOf } from "../../shown/link-target.ts";
import { Markdown } from "../../shown/markdown.tsx";
import type { AppProps } from "../app.ts";
import { GUIDE, guideDesk, PAGES } from "./guide.ts";
import { type Page, search, sectionsOf } from "./search.ts";

const SECTIONS = PAGES.flatMap(sectionsOf);
const MOST = 40;

interface Place {
  readonly name: string;
  /** A heading within it. */
  readonly heading?: string;
}

/** The guide, with something to look for in it. */
export default function Help({ window, desk }: AppProps) {
  const { find: wanted, heading, page: named } = window.args;
  const [words, setWords] = useState(typeof wanted === "string" ? wanted : "");
  /** Nothing on a small screen: there the list comes first. */
  const [place, setPlace] = useState<Place>();
  const article = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const page = PAGES.find(({ name }) => name === place?.name) ?? PAGES[0];
  const guide = useMemo(() => guideDesk(desk, (name) => setPlace({ name })), [desk]);
  const found = search(SECTIONS, words).slice(0, MOST);

  useEffect(() => {
    if (typeof wanted === "string") setWords(wanted);
  }, [wanted]);
  useEffect(() => {
    if (typeof named === "string") setPlace({ name: named, ...(typeof heading === "string" && { heading }) });
  }, [named, heading]);
  useEffect(() => {
    if (window.inFront) focusOn(field.current);
  }, [window.inFront]);
  useEffect(() => {
    const slug = slugOf(place?.heading ?? "");
    const heading = slug === "" ? null : article.current?.querySelector(`[data-slug="${CSS.escape(slug)}"]`);
    if (heading) heading.scrollIntoView({ block: "start" });
    else article.current?.scrollTo({ top: 0 });
  }, [place]);

  return (
    <div className="help-room">
      <div className="help" data-page={place !== undefined}>
        <nav className="help-list" aria-label="The guide">
          <label className="help-find">
            <Search aria-hidden="true" size={14} />
            <input
              ref={field}
              type="search"
              value={words}
              placeholder="What are you looking for?"
              aria-label="Look for words in the guide"
              onChange={({ target }) => setWords(target.value)}
            />
          </label>
          {words.trim() === "" ? (
            <ul>
              {PAGES.map(({ name, title }) => (
                <li key={name}>
                  <Entry title={title} isCurrent={name === page?.name} onPick={() => setPlace({ name })} />
                </li>
              ))}
            </ul>
          ) : (
            <ul aria-label="Found">
              {found.map(({ line, section }) => (
                <li key={`${section.page.name} ${section.heading}`}>
                  <Entry
                    title={section.heading || section.page.title}
                    line={line}
                    isCurrent={place?.name === section.page.name && (place.heading ?? "") === section.heading}
                    onPick={() => setPlace({ name: section.page.name, heading: section.heading })}
                  />
                </li>
              ))}
              {found.length === 0 && (
                <li className="help-none soft">The guide says nothing about that. Try another word.</li>
              )}
            </ul>
          )}
        </nav>
        {page !== undefined && <Article {...{ page, guide, article }} onBack={() => setPlace(undefined)} />}
      </div>
    </div>
  );
}

interface ArticleParts {
  readonly page: Page;
  readonly guide: ReturnType<typeof guideDesk>;
  readonly article: RefObject<HTMLElement | null>;
  onBack(): void;
}

function Article({ page, guide, article, onBack }: ArticleParts) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <article className="help-page" aria-label={page.title} ref={article} tabIndex={0}>
      <button type="button" className="button quiet help-back" onClick={onBack}>
        <ArrowLeft aria-hidden="true" size={14} />
        All of the guide
      </button>
      <Markdown text={page.text} folder={GUIDE} desk={guide} />
    </article>
  );
}

interface EntryParts {
  readonly title: string;
  readonly line?: string;
  readonly isCurrent: boolean;
  onPick(): void;
}

function Entry({ title, line, isCurrent, onPick }: EntryParts) {
  return (
    <button type="button" aria-current={isCurrent} onClick={onPick}>
      <span>{title}</span>
      {line !== undefined && <span className="help-line">{line}</span>}
    </button>
  );
}
