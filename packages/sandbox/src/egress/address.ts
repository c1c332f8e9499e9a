import { BlockList, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

const LOOPBACK = blockList(["127.0.0.0/8", "::1/128"]);

/** IPv4 that isn't the public internet, after IANA's registry of special purposes, and metadata servers that look public. */
const SPECIAL: ReadonlyMap<string, BlockList> = new Map([
  ["loopback", LOOPBACK],
  ["private", blockList(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"])],
  ["link-local", blockList(["169.254.0.0/16"])],
  ["shared by a carrier's customers", blockList(["100.64.0.0/10"])],
  ["a metadata server's", blockList(["168.63.129.16/32"])],
  ["multicast", blockList(["224.0.0.0/4"])],
  [
    "reserved",
    blockList([
      "0.0.0.0/8",
      "192.0.0.0/24",
      "192.0.2.0/24",
      "192.31.196.0/24",
      "192.52.193.0/24",
      "192.88.99.0/24",
      "192.175.48.0/24",
      "198.18.0.0/15",
      "198.51.100.0/24",
      "203.0.113.0/24",
      "240.0.0.0/4",
    ]),
  ],
]);

/**
 * IPv6 the other way round: only global unicast is public. So loopback, unspecified, mapped IPv4, NAT64, unique local,
 * link-local, multicast and whatever will be made up outside of it are refused; and inside of it these.
 */
const GLOBAL = blockList(["2000::/3"]);
/** Protocols' own (Teredo and ORCHID among them), documentation, 6to4, and AS112's. */
const NOT_GLOBAL = blockList(["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"]);

/** Why a connection may not go to this address, or nothing where it may. */
export function refusalOf(address: string, allowLoopback: boolean, own = ownAddresses()): string | undefined {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (LOOPBACK.check(address, family)) return allowLoopback ? undefined : "is loopback";
  const kind = family === "ipv6" ? kindOfV6(address) : kindOfV4(address);
  if (kind !== undefined) return `is ${kind}`;
  return own.includes(address) ? "is this machine's own" : undefined;
}

function kindOfV4(address: string): string | undefined {
  for (const [kind, list] of SPECIAL) if (list.check(address, "ipv4")) return kind;
  return undefined;
}

function kindOfV6(address: string): string | undefined {
  return GLOBAL.check(address, "ipv6") && !NOT_GLOBAL.check(address, "ipv6") ? undefined : "not a public address";
}

/** A public address of the machine leads to what listens on it for the machine's own sake. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = "", prefix] = subnet.split("/");
    list.addSubnet(net, Number(prefix), isIPv6(net) ? "ipv6" : "ipv4");
  }
  return list;
}
