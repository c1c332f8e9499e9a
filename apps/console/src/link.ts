const KEY = "choir.link";

/**
 * The token of a sign-in link, taken out of the address at once: nobody who looks at the screen or the history gets it. This
 * tab keeps it until it is spent, so that loading the page anew loses nothing; no other tab or site can read it there.
 */
export function takeLink(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get("link");
  if (token === null) return sessionStorage.getItem(KEY) ?? undefined;
  history.replaceState(null, "", location.pathname);
  sessionStorage.setItem(KEY, token);
  return token;
}

export function forgetLink(): void {
  sessionStorage.removeItem(KEY);
}

/** An address with a link that is opened in a page that is here already: browsers don't load that anew. */
export function followLinks(): void {
  addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).has("link")) location.reload();
  });
}
