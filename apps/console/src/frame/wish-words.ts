import { plain } from "@choiros/contract";
import type { DeskWish } from "@choiros/contract/frame";

export interface WishWords {
  readonly asks: string;
  /** All of it, where what is asked may be cut. */
  readonly whole: string;
  /** Where it can be done at all. */
  readonly yes?: string;
}

/** So much of a host is in sight on any screen. */
const HOST = 36;

/** What a desk asks for, in words that can't be its own. */
export function wordsOf(wish: DeskWish, owner = true): WishWords {
  if (wish === "agents" && owner) return { ...same("Connect a model?"), yes: "Choose one" };
  if (wish === "agents") return same("Only the owner of this server connects models");
  if (wish === "export") return { ...same("Everything on this computer in one file?"), yes: "Export" };
  if (wish === "sign-out") return { ...same("End this session?"), yes: "Sign out" };
  return { asks: placeOf(wish.visit), whole: plain(wish.visit), yes: "Open the page" };
}

/** Where it leads: the host alone, by its end, for that says whose it is; then what is left of the address. */
function placeOf(address: string): string {
  const { host, pathname, protocol, search } = new URL(address);
  const end = host.length > HOST ? `…${host.slice(-HOST)}` : host;
  const rest = pathname === "/" && search === "" ? "" : pathname + search;
  return plain(`${protocol === "http:" ? "http://" : ""}${end}${rest}`);
}

function same(asks: string) {
  return { asks, whole: asks };
}
