import "./help.css";
import { ArrowLeft } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { slugOf } from "../../shown/link-target.ts";
import { Markdown } from "../../shown/markdown.tsx";
import { SearchField } from "../../shown/search-field.tsx";
import type { AppProps } from "../app.ts";
import { useFreeFocus } from "../free-focus.ts";
import { GUIDE, guideDesk, PAGES } from "./guide.ts";
import { search } from "./search.ts";
import { type Page, type Section, sectionsOf } from "./sections.ts";

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
  /** Nothing as long as nobody picked anything: a small screen has the list then. */
  const [place, setPlace] = useState<Place>();
  const article = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const guide = useMemo(() => guideDesk(desk, (name) => setPlace({ name })), [desk]);
  const found = search(SECTIONS, words).slice(0, MOST);
  const shown = place ?? placeOf(found[0]?.section);
  const page = PAGES.find(({ name }) => name === shown?.name) ?? PAGES[0];
  const look = (next: string) => {
    setWords(next);
    if (next.trim() !== "") setPlace(undefined); // beside the list is what was found first
  };

  useEffect(() => {
    if (typeof wanted === "string") setWords(wanted);
  }, [wanted]);
  useEffect(() => {
    if (typeof named === "string") setPlace({ name: named, ...(typeof heading === "string" && { heading }) });
  }, [named, heading]);
  useFreeFocus(field, window.inFront);
  useEffect(() => {
    const slug = slugOf(shown?.heading ?? "");
    const heading = slug === "" ? null : article.current?.querySelector(`[data-slug="${CSS.escape(slug)}"]`);
    if (heading) heading.scrollIntoView({ block: "start" });
    else article.current?.scrollTo({ top: 0 });
  }, [place, page, shown?.heading]);

  return (
    <div className="help-room">
      <div className="help" data-page={place !== undefined}>
        <nav className="help-list" aria-label="The guide">
          <div className="help-find">
            <SearchField
              hint="What are you looking for?"
              label="Look for words in the guide"
              {...{ words, field }}
              onWords={look}
            />
          </div>
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
              {found.map(({ quote, section }) => (
                <li key={`${section.page.name} ${section.heading}`}>
                  <Entry
                    title={section.heading || section.page.title}
                    quote={quote}
                    isCurrent={shown?.name === section.page.name && (shown.heading ?? "") === section.heading}
                    onPick={() => setPlace(placeOf(section))}
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

function placeOf(section: Section | undefined): Place | undefined {
  return section && { name: section.page.name, heading: section.heading };
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
  readonly quote?: string;
  readonly isCurrent: boolean;
  onPick(): void;
}

function Entry({ title, quote, isCurrent, onPick }: EntryParts) {
  return (
    <button type="button" aria-current={isCurrent} onClick={onPick}>
      <span>{title}</span>
      {quote !== undefined && <span className="help-quote">{quote}</span>}
    </button>
  );
}
