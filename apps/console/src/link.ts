import { UserId } from "@choiros/contract";

const KEY = "choir.link";

/** What the address brought: a sign-in link, or a link to an event of a computer. */
export interface Link {
  readonly token?: string;
  readonly event?: LinkedEvent;
}

export interface LinkedEvent {
  readonly computer: string;
  readonly seq: number;
}

/**
 * Taken out of the address at once: nobody who looks at the screen or the history gets a token. This tab keeps it until it is
 * spent, so that loading the page anew loses nothing; no other tab or site can read it there.
 */
export function takeLink(): Link {
  const link = parseLink(location.hash);
  if (link.token !== undefined || link.event !== undefined) history.replaceState(null, "", location.pathname);
  if (link.token !== undefined) sessionStorage.setItem(KEY, link.token);
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? link : { ...link, token: kept };
}

export function forgetLink(): void {
  sessionStorage.removeItem(KEY);
}

/** An address with a link that is opened in a page that is here already: browsers don't load that anew. */
export function followLinks(): void {
  addEventListener("hashchange", () => {
    const { event, token } = parseLink(location.hash);
    if (event !== undefined || token !== undefined) location.reload();
  });
}

export function parseLink(hash: string): Link {
  const said = new URLSearchParams(hash.slice(1));
  const token = said.get("link");
  if (token !== null) return { token };
  const computer = UserId.safeParse(said.get("computer")).data;
  const seq = /^[1-9]\d{0,15}$/.test(said.get("event") ?? "") ? Number(said.get("event")) : undefined;
  return computer === undefined || seq === undefined ? {} : { event: { computer, seq } };
}
