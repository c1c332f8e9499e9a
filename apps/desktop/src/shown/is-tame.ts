/** What opens something in Markdown, so that whoever reads it on looks for the end. */
const OPENERS = /[[*_`<>~!]/g;
/** Within one of these parts it is looked for. */
const PARTS = /\n\s*\n|\n(?=\s*(?:[-*+|#]|\d+[.)])\s?)/;
/** As many as take a tenth of a second or so: each may look at all that come after it. */
const MOST_LOOKS = 2_000_000;

/** Whether reading it as Markdown takes no time that anybody would notice: somebody may have written it so that it does. */
export function isTame(text: string): boolean {
  let looks = 0;
  for (const part of text.split(PARTS)) {
    const openers = part.match(OPENERS)?.length ?? 0;
    looks += openers * openers;
    if (looks > MOST_LOOKS) return false;
  }
  return true;
}
