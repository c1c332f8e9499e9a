import { castsToAny, lineAt } from "./syntax.ts";
import { type Check, finding, isCode, isModule, isTidyItself } from "./tree.ts";

/** What was put off, switched off or kept from being looked at. */
const BANNED = [/\bTODO\b/g, /\bFIXME\b/g, /@ts-ignore\b/g, /\.only\(/g, /\.skip\(/g];

/** Where somebody works. With something before it, it is part of a longer path or address, unless that is `file://`. */
const MACHINE_PATH = /(?:(?<![\w.~})/-])|(?<=file:\/\/))\/(?:root|Users|work)\/[\w.-]*/g;

/** Nothing in the code is put off or switched off. */
export const words: Check = (tree) =>
  [...tree].flatMap(([file, text]) => {
    if (!isCode(file, text) || isTidyItself(file)) return [];
    const casts = isModule(file) ? castsToAny(file, text) : [];
    return [
      ...BANNED.flatMap((word) => [...text.matchAll(word)]).map((match) =>
        finding("words", `${file}:${lineAt(text, match.index)}`, `has ${match[0]}: settle it, or open an issue`),
      ),
      ...casts.map((line) => finding("words", `${file}:${line}`, "has a cast to any: parse it, or give it a type")),
    ];
  });

/** No file knows on whose machine it was written. */
export const machinePaths: Check = (tree) =>
  [...tree].flatMap(([file, text]) => {
    if (isTidyItself(file)) return [];
    return [...text.matchAll(MACHINE_PATH)].map((match) =>
      finding("machine paths", `${file}:${lineAt(text, match.index)}`, `names ${match[0]}, a path of one machine`),
    );
  });
