import { UserId } from "@choiros/contract";

/** Whose page a host name stands for. The two are different sites to a browser, not just other ports. */
export type Site =
  /** The trusted frame. `plain` where it goes by this machine's own name. */
  | { readonly is: "console"; readonly plain?: true }
  /** The desktop of one computer, which agents may rewrite; without one, of whichever a desk token is for. */
  | { readonly is: "desk"; readonly computer?: UserId }
  /** A name for this machine that has no page of its own: a browser is sent to the console's. */
  | { readonly is: "door" };

export interface SiteNames {
  readonly consoleHost: string;
  /** With `{computer}` in it. */
  readonly deskHost: string;
  /** What stands before the names, and behind them where it isn't the usual port. */
  readonly scheme: "http" | "https";
  readonly port: number;
  /** The port that this machine's own names go with, where a proxy stands before the others. */
  readonly localPort?: number;
  /** Browsers that know no names below `localhost` get the console at `localhost`, and one desk at a time at `127.0.0.1`. */
  readonly plain?: boolean;
  /** Other origins whose pages may use the console's API with a signed-in browser. */
  readonly allowedOrigins: readonly string[];
}

/** Names of this machine: only whoever sits at it can mean us by them. */
const DOORS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const PLAIN = { console: "localhost", desk: "127.0.0.1" };
const PLACE = "{computer}";

/** Which names are ours. A name that isn't leads here by somebody else's DNS, and whoever sent it must learn nothing. */
export class Sites {
  readonly #names: SiteNames;
  readonly #before: string;
  readonly #behind: string;

  constructor(names: SiteNames) {
    const [before, behind, ...more] = names.deskHost.split(PLACE);
    if (before === undefined || behind === undefined || more.length > 0)
      throw new Error(`the desk's host needs ${PLACE} in it once, and is ${names.deskHost}`);
    this.#names = names;
    this.#before = before;
    this.#behind = behind;
  }

  /** By the `Host` header, whose port has to be ours too. `agent` says which browser it is. */
  siteOf(host: string | undefined, agent = ""): Site | undefined {
    const [, name, digits] = /^(\[[0-9a-f:]+\]|[^:[\]]+?)\.?(?::(\d{1,5}))?$/i.exec(host ?? "") ?? [];
    if (name === undefined) return undefined;
    const [lower, port] = [name.toLowerCase(), Number(digits ?? this.#usualPort())];
    if (port === this.#names.port) {
      if (lower === this.#names.consoleHost) return { is: "console" };
      const computer = this.#computerIn(lower);
      if (computer !== undefined) return { is: "desk", computer };
    }
    if (port !== this.#localPort || !DOORS.includes(lower)) return undefined;
    if (this.#isPlain(agent) && lower === PLAIN.console) return { is: "console", plain: true };
    return this.#isPlain(agent) && lower === PLAIN.desk ? { is: "desk" } : { is: "door" };
  }

  get console(): string {
    return this.#origin(this.#names.consoleHost);
  }

  /** Every origin that the console's own page may have, the usual one first. */
  get consoles(): readonly [string, ...string[]] {
    return this.#names.plain === true ? [this.console, this.#plainConsole] : [this.console];
  }

  /** Where a browser finds the console. */
  consoleFor(agent: string | undefined): string {
    return this.#isPlain(agent ?? "") ? this.#plainConsole : this.console;
  }

  /** A computer's desk, as the console's page at this site has to frame it. */
  desk(computer: UserId, site?: Site): string {
    if (isPlainSite(site)) return this.#plainDesk;
    return this.#origin(this.#names.deskHost.replace(PLACE, computer));
  }

  /** All desks that this site's page may frame, as a browser's policy names them. */
  anyDesk(site: Site): string {
    if (isPlainSite(site)) return this.#plainDesk;
    return this.#origin(this.#names.deskHost.replace(new RegExp(`^.*${PLACE}[^.]*`), "*"));
  }

  /** The console that may frame this desk. */
  frameOf(site: Site): string {
    return isPlainSite(site) ? this.#plainConsole : this.console;
  }

  /** Whether a page of this origin may ask at this site. */
  isOurs(origin: string, site: Site): boolean {
    if (site.is === "desk")
      return origin === (site.computer === undefined ? this.#plainDesk : this.desk(site.computer));
    if (site.is === "door") return false;
    return origin === this.frameOf(site) || this.isGuest(origin, site);
  }

  /** Whether it is another site's page, which may ask here because the configuration says so. */
  isGuest(origin: string, site: Site): boolean {
    return site.is === "console" && this.#names.allowedOrigins.includes(origin);
  }

  #isPlain(agent: string): boolean {
    return this.#names.plain === true && isSafari(agent);
  }

  get #localPort(): number {
    return this.#names.localPort ?? this.#names.port;
  }

  get #plainConsole(): string {
    return this.#origin(PLAIN.console);
  }

  get #plainDesk(): string {
    return this.#origin(PLAIN.desk);
  }

  #computerIn(name: string): UserId | undefined {
    if (!name.startsWith(this.#before) || !name.endsWith(this.#behind)) return undefined;
    return UserId.safeParse(name.slice(this.#before.length, name.length - this.#behind.length)).data;
  }

  #origin(host: string): string {
    const { scheme, port } = this.#names;
    return `${scheme}://${host}${port === this.#usualPort() ? "" : `:${port}`}`;
  }

  #usualPort(): number {
    return this.#names.scheme === "https" ? 443 : 80;
  }
}

function isPlainSite(site: Site | undefined): boolean {
  return (site?.is === "console" && site.plain === true) || (site?.is === "desk" && site.computer === undefined);
}

/** It asks the system for names below `localhost`, which knows none. What is made of Chromium says that it is Safari, too. */
function isSafari(agent: string): boolean {
  return agent.includes("Version/") && agent.includes("Safari/") && !/Chrom|Android/.test(agent);
}
