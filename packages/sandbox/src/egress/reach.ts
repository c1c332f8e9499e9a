import { lookup } from "node:dns/promises";
import { connect, isIPv6, type Socket } from "node:net";
import { refusalOf } from "./address.ts";
import type { Target } from "./target.ts";

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface ReachOptions {
  readonly resolve: Resolve;
  readonly allowLoopback: boolean;
  /** How long finding the address and connecting may take, each. */
  readonly reachMs: number;
}

export type Reached =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly refused: boolean; readonly why: string };

/**
 * Connects to a host by name. The name is resolved once, every address it has is checked, and the connection goes to
 * one of those that were checked: what the name resolves to a moment later changes nothing.
 */
export async function reach(target: Target, options: ReachOptions): Promise<Reached> {
  const addresses = await addressesOf(target.host, options);
  if (typeof addresses === "string") return { ok: false, refused: false, why: addresses };
  for (const address of addresses) {
    const why = refusalOf(address, options.allowLoopback);
    if (why !== undefined) return { ok: false, refused: true, why: `its address ${address} ${why}` };
  }
  return await connected(target, addresses, options.reachMs);
}

export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

async function addressesOf(host: string, options: ReachOptions): Promise<readonly string[] | string> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<string>();
  const timer = setTimeout(() => giveUp("its address wasn't found in time"), options.reachMs);
  try {
    const addresses = await Promise.race([options.resolve(host), late]);
    return addresses.length === 0 ? "it has no address" : addresses;
  } catch (error) {
    return `its address wasn't found (${codeOf(error)})`;
  } finally {
    clearTimeout(timer);
  }
}

function connected({ host, port }: Target, addresses: readonly string[], reachMs: number): Promise<Reached> {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const { promise, resolve } = Promise.withResolvers<Reached>();
  const socket = connect({
    host,
    port,
    allowHalfOpen: true,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(reachMs / checked.length),
    lookup: (_host, _options, callback) => callback(null, checked),
  });
  const fail = (why: string) => {
    socket.destroy();
    resolve({ ok: false, refused: false, why });
  };
  const timer = setTimeout(() => fail("it didn't answer in time"), reachMs);
  const onError = (error: Error) => fail(`it can't be reached (${codeOf(error)})`);
  socket.once("error", onError);
  socket.once("close", () => clearTimeout(timer));
  socket.once("connect", () => {
    clearTimeout(timer);
    socket.off("error", onError);
    resolve({ ok: true, socket });
  });
  return promise;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}
