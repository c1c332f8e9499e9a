const MAX_CHARACTERS = 16_384;

/** What a model is given of a long text: its beginning and its end. */
export function cutToFit(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const [head, tail] = [beginning(text, half), ending(text, half)];
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}

/** No more than so much of a text, and no character cut in two. */
export function beginning(text: string, most: number): string {
  const head = text.slice(0, most);
  return head.length < text.length && /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
}

function ending(text: string, most: number): string {
  const tail = text.slice(text.length - most);
  return /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail;
}
