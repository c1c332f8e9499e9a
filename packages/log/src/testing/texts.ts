/** A text of about so many bytes, and the same after so many edits of a line each. */
export function textOf(bytes: number, edits = 0, name = "text"): Buffer {
  const lines = Array.from(
    { length: Math.ceil(bytes / 20) },
    (_, i) => `${name} line ${(i * 7919) % 9973} of many, ${i}`,
  );
  for (let i = 0; i < edits; i++)
    lines[(i * 31) % Math.ceil(bytes / 60)] = `edit ${i} put this line in place of another`;
  return Buffer.from(lines.join("\n").slice(0, bytes));
}
