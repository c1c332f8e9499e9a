/**
 * Puts a text where it can be pasted from. In a frame of another origin the newer way isn't allowed; this one is, while a
 * hand is on a key or a button. `false` where the browser didn't do it.
 */
export function copyText(text: string): boolean {
  const had = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    if (had instanceof HTMLElement) had.focus();
  }
}
