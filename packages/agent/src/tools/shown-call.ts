/** A tool, or a plan, with what it is given. */
export interface Shown {
  readonly tool: string;
  readonly input?: unknown;
}

/**
 * A call as it is shown to whoever allows it, in about so many bytes. Where there isn't room for a text in it, its
 * beginning and its end stand there, with how much was left out between them: it could begin harmlessly.
 */
export function shownCall({ tool, input }: Shown, most: number): string {
  for (let room = most; ; room = Math.floor(room / 2)) {
    const text = JSON.stringify(input, (_, value) => (typeof value === "string" ? ends(value, room) : value));
    const shown = `${tool} ${text}`;
    if (Buffer.byteLength(shown) <= most || room < LEAST) return shown;
  }
}

/** Shorter texts aren't cut. */
const LEAST = 40;

function ends(text: string, room: number): unknown {
  if (text.length <= room) return text;
  const half = Math.floor(room / 2);
  const [beginning, end] = [text.slice(0, half).toWellFormed(), text.slice(-half).toWellFormed()];
  return { beginning, "characters left out": text.length - 2 * half, end };
}
