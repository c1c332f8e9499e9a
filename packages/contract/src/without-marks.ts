/**
 * What an agent wrote as Markdown, as words in one line: without the marks that only say how they look. What is no such
 * mark stays, as the stars of `2 * 3 * 4` and the lines of a `snake_case_name`.
 */
export function withoutMarks(text: string): string {
  const lines = text.split(/\r?\n/).map(ofLine);
  return lines.filter((line) => line !== "").join(" ");
}

function ofLine(line: string): string {
  if (/^\s*(?:```|~~~)/.test(line)) return "";
  let words = line.trim().replace(/^(?:>\s?)+/, "");
  words = words.replace(/^#{1,6}\s+/, "").replace(/^[-*+]\s+/, "• ");
  words = words.replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1");
  for (const mark of MARKS) words = words.replace(mark, "$1");
  return words;
}

/** From the longest: within one of them may be another. */
const MARKS = [
  /\*\*(?=\S)((?:(?!\*\*)[^\n])*\S)\*\*/g,
  /(?<!\w)__(?=\S)([^_\n]*\S)__(?!\w)/g,
  /~~(?=\S)([^~\n]+)~~/g,
  /(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/g,
  /(?<!\w)_(?=[^\s_])([^_\n]*[^\s_])_(?!\w)/g,
  /`([^`\n]+)`/g,
];
