import { isIPv6 } from "node:net";
import { domainToASCII } from "node:url";

/** A name and a port, in the one spelling that is compared. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

export type ParsedTarget =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly why: string };

const MAX_HOST = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Nothing that some parser somewhere takes for the end of a name, for an escape or for nothing at all. */
const NOT_IN_A_NAME = /[\p{Cc}\s%*/?#\\<>^|"'`{}&,;=+$!~()]/u;
/** What URL parsers take for an IPv4 address is told by its last label: `127.1`, `0x7f000001`, `017700000001`, `0`. */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * Reads `host:port`; where a default port is given, `host` too. The name comes out in lower case, in ASCII and without
 * the dot at its end. An address is no name, however it is spelt.
 */
export function parseTarget(text: string, defaultPort?: number): ParsedTarget {
  if (text.includes("@")) return refused("a user name before the host isn't allowed");
  if (text.includes("[")) return refused("it is an IP address, and only names are allowed");
  const [name = "", digits, ...rest] = text.split(":");
  if (rest.length > 0) return refused("it is an IP address, and only names are allowed");
  const host = parseName(name);
  if (typeof host !== "string") return host;
  if (digits === undefined && defaultPort === undefined) return refused("there is no port");
  const port = digits === undefined ? Number(defaultPort) : parsePort(digits);
  if (port === undefined) return refused("its port isn't a number from 1 to 65535");
  return { ok: true, target: { host, port } };
}

/**
 * Of what was asked for, be it a target or not, what may be told before it is judged: the rest may hold a secret. Where
 * no port can be read, it is that of what was most likely meant.
 */
export function askedFor(url: string): Target {
  const [authority = ""] = url.replace(/^[a-z]*:\/\//i, "").split(/[/?#]/);
  const text = authority.slice(authority.lastIndexOf("@") + 1);
  const likely = /^http:/i.test(url) ? 80 : 443;
  if (isIPv6(text)) return { host: text, port: likely };
  const [, host = "", digits = ""] = /^(\[[^\]]*\]|[^:]*):?(.*)$/.exec(text) ?? [];
  return { host, port: parsePort(digits) ?? likely };
}

function parseName(text: string): string | Refused {
  if (text === "") return refused("there is no host");
  if (text.length > MAX_HOST + 1) return refused(`its host is longer than ${MAX_HOST} characters`);
  if (NOT_IN_A_NAME.test(text)) return refused("its host has a character that no name has");
  const host = domainToASCII(text).replace(/\.$/, "");
  const labels = host.split(".");
  if (NUMBER.test(labels.at(-1) ?? "")) return refused("it is an IP address, and only names are allowed");
  if (host.length > MAX_HOST || !labels.every((label) => LABEL.test(label))) return refused("it isn't a host's name");
  return host;
}

function parsePort(digits: string): number | undefined {
  if (!/^[1-9]\d{0,4}$/.test(digits)) return undefined;
  const port = Number(digits);
  return port <= 65_535 ? port : undefined;
}

type Refused = Extract<ParsedTarget, { ok: false }>;

function refused(why: string): Refused {
  return { ok: false, why };
}
