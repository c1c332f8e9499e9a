import type { Section } from "./sections.ts";

export interface Found {
  readonly section: Section;
  /** What it says about them, from a sentence that has them on; where only its titles do, how it begins. */
  readonly quote: string;
}

/** What a word counts in the name of a page for its first section, in that for the others, and in a heading. */
const IN_NAME = 6;
const IN_NAME_ABOVE = 1;
const IN_HEADING = 4;
/** The most that it counts in a text, however often it is there. */
const IN_TEXT = 4;
/** A word that only begins so counts less than the word itself. */
const BEGINNING = 0.5;
/** So far from the beginning of a quote a word is still in sight. */
const NEAR = 72;
const QUOTE_CHARACTERS = 200;

/** The sections that have words that begin with all of these, whatever their case; those first that are most about them. */
export function search(sections: readonly Section[], words: string): Found[] {
  const wanted = wordsOf(words);
  if (wanted.length === 0) return [];
  const rated = sections.flatMap((section) => {
    const rates = wanted.map((word) => rateOf(section, word));
    if (rates.includes(0)) return [];
    return [{ section, rate: sum(rates), quote: quoteOf(section, wanted) }];
  });
  return rated.sort((one, two) => two.rate - one.rate).map(({ section, quote }) => ({ section, quote }));
}

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** How much a section is about a word; nothing where it doesn't have it. */
function rateOf({ page, heading, lines }: Section, word: string): number {
  const best = (text: string) => bestOf(placesOf(text, word))?.worth ?? 0;
  const name = Math.max(best(page.title), best(page.name.replace(/\.md$/, "")));
  const text = lines.join("\n");
  const times = sum(placesOf(text, word).map(({ worth }) => worth));
  const often = times / (times + 1 + text.length / 1000);
  return (heading === "" ? IN_NAME : IN_NAME_ABOVE) * name + IN_HEADING * best(heading) + IN_TEXT * often;
}

interface Place {
  readonly at: number;
  readonly worth: number;
}

/** Where words of it begin so; what begins with a sign is found anywhere. */
function placesOf(text: string, beginning: string): Place[] {
  const isWord = /^[\p{L}\p{N}]/u.test(beginning);
  const low = text.toLowerCase();
  const places: Place[] = [];
  for (let at = low.indexOf(beginning); at >= 0; at = low.indexOf(beginning, at + 1)) {
    if (isWord && /[\p{L}\p{N}]$/u.test(low.slice(Math.max(0, at - 2), at))) continue;
    const end = at + beginning.length;
    places.push({ at, worth: /^[\p{L}\p{N}]/u.test(low.slice(end, end + 2)) ? BEGINNING : 1 });
  }
  return places;
}

/** From the sentence on that has most of the words, to the end of what it stands in. */
function quoteOf({ lines }: Section, words: readonly string[]): string {
  const sentences = lines.flatMap((line) =>
    startsOf(line).map((from, i, starts) => {
      const sentence = line.slice(from, starts[i + 1]);
      const places = words.flatMap((word) => bestOf(placesOf(sentence, word)) ?? []);
      return { rest: line.slice(from), places, worth: sum(places.map(({ worth }) => worth)) };
    }),
  );
  const best = bestOf(sentences);
  if (best === undefined) return "";
  return fromNear(best.rest, Math.min(...best.places.map(({ at }) => at))).slice(0, QUOTE_CHARACTERS);
}

/** Where its sentences begin. */
function startsOf(line: string): number[] {
  return [0, ...[...line.matchAll(/[.!?] (?=\p{Lu})/gu)].map(({ index }) => index + 2)];
}

/** It begins where it does, or so late that this place is in sight. */
function fromNear(text: string, place: number): string {
  if (!Number.isFinite(place) || place <= NEAR) return text;
  const from = text.indexOf(" ", place - NEAR / 2);
  return `…${text.slice(from < 0 || from > place ? place : from)}`;
}

/** The first of those that are worth most. */
function bestOf<One extends { readonly worth: number }>(all: readonly One[]): One | undefined {
  return all.reduce<One | undefined>(
    (best, one) => (best === undefined || one.worth > best.worth ? one : best),
    undefined,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, two) => one + two, 0);
}
