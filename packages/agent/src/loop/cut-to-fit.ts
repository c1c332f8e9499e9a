const MAX_CHARACTERS = 16_384;

/** What a model is given of a long text: its beginning and its end. */
export function cutToFit(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}
