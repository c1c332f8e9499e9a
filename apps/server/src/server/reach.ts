import { isIPv6 } from "node:net";
import { type SiteNames, Sites } from "@choiros/gateway";
import { CommandError } from "../command-error.ts";
import { type Config, DEFAULT_HOSTS } from "../config/schema.ts";
import { type Certificate, readCertificate } from "./certificate.ts";

/** How the server can be reached: where it listens, and by which names. */
export interface Reach {
  readonly hosts: readonly string[];
  readonly tls: Certificate | undefined;
  readonly trusted: readonly string[];
  /** Nothing is encrypted on the way here: so nobody but a trusted proxy may come from elsewhere. */
  readonly proxiedOnly: boolean;
  /** What whoever starts it should know. */
  readonly notices: readonly string[];
  names(port: number): SiteNames;
  /** What to open in a browser. */
  address(port: number): string;
}

type Settings = Config["server"];

/** Throws a `CommandError` that says what to set, where the settings don't go together. */
export function reachOf(settings: Settings, home: string): Reach {
  const loopback = isLoopback(settings.listen);
  const url = settings.public_url === "" ? undefined : new URL(settings.public_url);
  const [consoleHost, deskHost] = hostsOf(settings, url);
  if (!loopback) assertSafe(settings, url, consoleHost);
  const tls = readCertificate(settings, home, [consoleHost, deskHost]);
  const scheme = url === undefined ? (tls === undefined ? "http" : "https") : schemeOf(url);
  if (tls !== undefined && scheme === "http")
    throw new CommandError("server.public_url begins with http:, but with server.tls_cert it is https:");
  const plain = url === undefined && tls === undefined && consoleHost === DEFAULT_HOSTS.console;
  const names = (port: number): SiteNames => {
    const shown = url === undefined ? port : Number(url.port || (scheme === "https" ? 443 : 80));
    const allowedOrigins = settings.allowed_origins;
    return { allowedOrigins, consoleHost, deskHost, localPort: port, plain, port: shown, scheme };
  };
  return {
    hosts: settings.listen === "localhost" ? ["127.0.0.1", "::1"] : [settings.listen],
    tls,
    trusted: settings.trusted_proxies,
    proxiedOnly: !loopback && tls === undefined,
    notices: [...plainNotices(scheme, consoleHost), ...noticesOf(consoleHost, deskHost), ...(tls?.notices ?? [])],
    names,
    // The machine's own name leads every browser to the console that it can open.
    address: (port) => (plain ? `http://localhost:${port}` : new Sites(names(port)).console),
  };
}

function isLoopback(listen: string): boolean {
  return listen === "localhost" || listen === "::1" || (listen.startsWith("127.") && !isIPv6(listen));
}

function schemeOf({ protocol }: URL): "http" | "https" {
  return protocol === "https:" ? "https" : "http";
}

function hostsOf({ console_host, desk_host }: Settings, url: URL | undefined): [consoleHost: string, deskHost: string] {
  const consoleHost = url?.hostname ?? console_host;
  if (console_host !== consoleHost && console_host !== DEFAULT_HOSTS.console)
    throw new CommandError(
      `server.console_host is ${console_host}, and server.public_url says ${consoleHost}: set one`,
    );
  if (!isLocal(consoleHost) && isLocal(desk_host))
    throw new CommandError(
      `the console is at ${consoleHost}: set server.desk_host as well, with names that lead here, as in "{computer}-desk.example.com"`,
    );
  if (!areApart(consoleHost, desk_host))
    throw new CommandError(
      `server.desk_host ${desk_host} and the console's ${consoleHost} are one site: no name of a desk may be the console's, below it or above it`,
    );
  return [consoleHost, desk_host];
}

/** Resolves on this machine alone. */
function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function areApart(consoleHost: string, deskHost: string): boolean {
  const [before = "", behind = ""] = deskHost.split("{computer}");
  const isDesk = (name: string) =>
    name.length > before.length + behind.length && name.startsWith(before) && name.endsWith(behind);
  return !withParents(deskHost).includes(consoleHost) && !withParents(consoleHost).some(isDesk);
}

function withParents(host: string): string[] {
  return host.split(".").map((_, i, labels) => labels.slice(i).join("."));
}

function assertSafe({ listen, tls_cert, trusted_proxies }: Settings, url: URL | undefined, consoleHost: string): void {
  const proxied = url?.protocol === "https:" && trusted_proxies.length > 0;
  if (tls_cert === "" && !proxied)
    throw new CommandError(
      `server.listen is ${listen}, beyond this machine, where anybody could listen in: set server.tls_cert and server.tls_key, or server.public_url = "https://…" and server.trusted_proxies`,
    );
  if (isLocal(consoleHost))
    throw new CommandError(
      `server.listen is ${listen}, but ${consoleHost} is a name for this machine alone: set server.console_host and server.desk_host`,
    );
}

function plainNotices(scheme: "http" | "https", consoleHost: string): string[] {
  if (scheme === "https" || isLocal(consoleHost)) return [];
  return [
    `The console is at http://${consoleHost}: whoever is on the way there can read all that is said, the session's cookie too. Set server.public_url = "https://…".`,
  ];
}

/** Without a list of all registries nobody can tell for sure: so it is told, and not refused. */
function noticesOf(consoleHost: string, deskHost: string): string[] {
  const domain = (host: string) => host.split(".").slice(-2).join(".");
  if (isLocal(consoleHost) || domain(consoleHost) !== domain(deskHost)) return [];
  return [
    `Console and desks are both below ${domain(consoleHost)}, which a browser may take for one site; a domain of their own for the desks keeps them further apart.`,
  ];
}
