/**
 * Names the cookie of a session. Where the console is on https, browsers see to it that no other host can set it. They
 * don't tell ports apart: two servers on one machine would sign each other's people out.
 */
export function cookieName(origin: string): string {
  const [, port] = /:(\d+)$/.exec(origin) ?? [];
  return `${isSecure(origin) ? "__Host-choir" : "choir"}${port === undefined ? "" : `-${port}`}`;
}

export function isSecure(origin: string): boolean {
  return origin.startsWith("https:");
}

/** A token, a dot and its signature, with what a cookie can't hold as `%XX`. */
const SIGNED = /^[\w.%+/=-]{40,200}$/;

/** What a `Cookie` header has under a name; undefined where that can't be a signed token. */
export function signedCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  const found = header
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  const value = found?.slice(start.length);
  return value !== undefined && SIGNED.test(value) ? value : undefined;
}
