import { KNOWN_LENGTH } from "../secrets/secrets.ts";

/** A text in which keys are left out, in each way in which who was sent one may say it back. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== "")
    .flatMap(formsOf)
    .reduce((rest, form) => rest.replaceAll(form, "…"), text);
}

/** Whether one of them stands there. A short one may be any word. */
export function hasSecret(text: string, secrets: readonly string[]): boolean {
  const long = secrets.filter(({ length }) => length >= KNOWN_LENGTH);
  return withoutSecrets(text, long) !== text;
}

function formsOf(secret: string): string[] {
  if (secret.length < KNOWN_LENGTH) return [secret];
  const json = escaped(secret);
  const inBase64 = base64Of(secret);
  const inUrlBase64 = inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // what has another one in it goes first: else a piece of it would be left
  return [escaped(json), json, encodeURIComponent(secret), ...inBase64, ...inUrlBase64, secret];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** By itself, and inside of something longer: then it begins at one of three places, and shares its ends with others. */
function base64Of(secret: string): string[] {
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.from(`${"x".repeat(before)}${secret}`).toString("base64");
    return text.slice(before === 0 ? 0 : before + 1, -4);
  });
  return [Buffer.from(secret).toString("base64"), ...inside];
}
