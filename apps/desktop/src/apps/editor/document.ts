import { diffLines, mergeRegions, type Region } from "@choiros/contract";
import { type Edit, edited, Lines, trimmed } from "./edit.ts";

/**
 * A text that is being typed, and the file it is of, which others write too. Pure: what is shown and what may be saved
 * follows from three texts. No function here takes away what was typed and isn't saved; only a person's choice does.
 */
export interface Doc {
  /** What was typed started from this. Where it isn't what stands in the file, somebody has to choose. */
  readonly base: string;
  /** What is shown. */
  readonly local: string;
  /** What stands in the file, as far as is known. */
  readonly file: Version;
  /** On its way into the file: until it is answered nobody knows whether what stands there has it. */
  readonly sent?: string;
}

export interface Version {
  /** `null`: there is no file. `undefined`: not heard yet. */
  readonly hash: string | null | undefined;
  readonly text: string;
}

export interface Next {
  readonly doc: Doc;
  /** What changes in what is shown. */
  readonly edits: readonly Edit[];
}

/** Where both changed the same lines: what is shown from `from` to `to`, and what stands in the file instead. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly theirs: string;
}

export type Choice = "mine" | "theirs" | "both";

export const NO_FILE: Version = { hash: null, text: "" };

export function opened(file: Version): Doc {
  return { base: file.text, local: file.text, file };
}

/** What was typed in another life, and the file as it is now; that may have it, and what was typed after it. */
export function restored({ base, local, sent }: Pick<Doc, "base" | "local" | "sent">, file: Version): Next {
  if (goesOn(base, local, file.text)) return { doc: opened(file), edits: [] };
  return arrived({ base: sent === file.text ? sent : base, local, file: { hash: undefined, text: base } }, file);
}

export function typed(doc: Doc, local: string): Doc {
  return local === doc.local ? doc : { ...doc, local };
}

/**
 * Another version stands in the file. What only it changed is taken over; where both changed the same lines, what was
 * typed stays, and the place is open.
 */
export function arrived(doc: Doc, file: Version): Next {
  if (doc.sent !== undefined) return file.text === doc.sent ? arrived(kept(doc), file) : { doc, edits: [] };
  const gone = file.hash === null && doc.base !== "";
  if (gone || doc.base === file.text) return { doc: { ...doc, file }, edits: [] };
  if (doc.local === file.text) return { doc: { ...doc, base: file.text, file }, edits: [] };
  if (doc.local === doc.base) {
    const edits = changes(doc.local, file.text);
    return { doc: { base: file.text, local: file.text, file }, edits };
  }
  const { base, local, theirs, regions } = compared(doc, file.text);
  const edits = regions.flatMap((region) => {
    if (region.settled !== "theirs") return [];
    return edit(local, region.ours, theirs.slice(region.theirs));
  });
  const open = regions
    .filter(({ settled }) => settled === undefined)
    .map((region) => ({
      from: theirs.offset(region.theirs.start),
      to: theirs.offset(region.theirs.end),
      insert: base.slice(region.base),
    }));
  return { doc: { base: edited(file.text, open), local: edited(doc.local, edits), file }, edits };
}

/** Where somebody has to choose, in the order of the text. */
export function places(doc: Doc): Place[] {
  if (isSettled(doc) || isGone(doc)) return [];
  const { local, theirs, regions } = compared(doc, doc.file.text);
  return regions.filter(isOpen).map((region) => ({
    from: local.offset(region.ours.start),
    to: local.offset(region.ours.end),
    theirs: theirs.slice(region.theirs),
  }));
}

/** Somebody chose at one place; `undefined` where that isn't open any more. `at`: the end of what was chosen. */
export function chosen(doc: Doc, place: number, choice: Choice): (Next & { readonly at: number }) | undefined {
  if (isSettled(doc) || isGone(doc)) return undefined;
  const { base, local, theirs, regions } = compared(doc, doc.file.text);
  const region = regions.filter(isOpen)[place];
  if (region === undefined) return undefined;
  const [mine, other] = [local.slice(region.ours), theirs.slice(region.theirs)];
  const between = mine === "" || mine.endsWith("\n") ? "" : "\n";
  const wanted = { mine, theirs: other, both: `${mine}${between}${other}` }[choice];
  const edits = edit(local, region.ours, wanted);
  const from = { from: base.offset(region.base.start), to: base.offset(region.base.end), insert: other };
  const at = local.offset(region.ours.start) + wanted.replace(/\n$/, "").length;
  return { doc: { ...doc, base: edited(doc.base, [from]), local: edited(doc.local, edits) }, edits, at };
}

/** There is no file, and there was none: what is typed begins one. */
export function isNew({ base, file }: Doc): boolean {
  return file.hash === null && base === "";
}

/** There was a file, and it was taken away. */
export function isGone({ base, file }: Doc): boolean {
  return file.hash === null && base !== "";
}

/** It is to be a file again. */
export function putBack(doc: Doc): Doc {
  return isGone(doc) ? { ...doc, base: "" } : doc;
}

/** No place is open: what is shown may be saved. */
export function isSettled({ base, file }: Doc): boolean {
  return base === file.text;
}

/** All that was typed stands in the file. */
export function isSaved(doc: Doc): boolean {
  return !isTyped(doc) && isSettled(doc);
}

/** Something was typed that no version has, as far as is known. */
export function isTyped({ base, local, sent }: Doc): boolean {
  return sent !== undefined || local !== base;
}

/** Sets what is shown on its way; `undefined` where nothing is to be saved, or it can't be by now. */
export function send(doc: Doc): (Doc & { readonly sent: string }) | undefined {
  if (doc.sent !== undefined || !isSettled(doc) || doc.file.hash === undefined) return undefined;
  return doc.local === doc.base ? undefined : { ...doc, sent: doc.local };
}

/** What was sent is in the file, alone or together with what another wrote. */
export function kept({ sent, ...doc }: Doc): Doc {
  return sent === undefined ? doc : { ...doc, base: sent, file: { hash: undefined, text: sent } };
}

/** What was sent isn't in the file. */
export function returned({ sent: _, ...doc }: Doc): Doc {
  return doc;
}

/** Whether more was typed at the end of what was typed, and nothing else became of it. */
function goesOn(base: string, local: string, file: string): boolean {
  const [one, two] = [local, file].map((insert) => trimmed(base, { from: 0, to: base.length, insert }));
  if (one === undefined || two === undefined || one.insert === "") return false;
  return one.from === two.from && one.to === two.to && two.insert.startsWith(one.insert);
}

/** From one text to another, line by line and then as little as possible. */
export function changes(before: string, after: string): Edit[] {
  const [one, two] = [new Lines(before), new Lines(after)];
  return diffLines(one.list, two.list).flatMap((hunk) =>
    edit(one, hunk, two.slice({ start: hunk.from, end: hunk.to })),
  );
}

function edit(lines: Lines, span: { readonly start: number; readonly end: number }, insert: string): Edit[] {
  const one = trimmed(lines.text, { from: lines.offset(span.start), to: lines.offset(span.end), insert });
  return one === undefined ? [] : [one];
}

function compared({ base, local }: Doc, file: string) {
  const lines = { base: new Lines(base), local: new Lines(local), theirs: new Lines(file) };
  const lists = { base: lines.base.list, ours: lines.local.list, theirs: lines.theirs.list };
  return { ...lines, regions: [...mergeRegions(lists)] };
}

/** Also where what was typed has been taken back meanwhile: it isn't taken over while somebody looks at it. */
function isOpen({ settled }: Region): boolean {
  return settled !== "ours";
}
