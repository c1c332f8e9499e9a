import { and, assemble, give, ifAtLeast, ifEqual, type Line, label, load, unlessEqual } from "./assembler.ts";
import { ARCHITECTURES, type Architecture } from "./system-calls.ts";

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const ERRNO = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Offsets in `struct seccomp_data`. Arguments have 64 bits; the kernel reads only the lower half of those looked at here. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number) => 16 + index * 8;

/** System calls from here on are those of x32, another way into the same kernel. */
const X32 = 0x40000000;
/** Newer than this filter: nobody has looked whether they let something through. Programs fall back. */
const FIRST_UNKNOWN = 467;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
/** Tells a program its own network interfaces. Other kinds of netlink reach further into the kernel. */
const NETLINK_ROUTE = 0;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** Both put characters where another program reads what was typed. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Plain Linux, 32 bits, an old version's name, both; and the question what it is. */
const PERSONALITIES = [0, 0x0008, 0x20000, 0x20008, 0xffffffff];

/**
 * Where root runs the server, a file made inside is root's on the host as well, and with one of these bits everybody's
 * who can reach it. By call: which argument is the mode, and which one says whether there is a mode at all.
 */
const SETUID_SETGID = 0o6000;
const O_CREAT_OR_TMPFILE = 0o20000100;
const MODES: Readonly<Record<string, { readonly mode: number; readonly flags?: number }>> = {
  chmod: { mode: 1 },
  fchmod: { mode: 1 },
  fchmodat: { mode: 2 },
  fchmodat2: { mode: 2 },
  creat: { mode: 1 },
  mknod: { mode: 1 },
  mknodat: { mode: 2 },
  open: { mode: 2, flags: 1 },
  openat: { mode: 3, flags: 2 },
};

/** They keep in memory what would have to be looked at, where a filter can't. Programs fall back to the older ones. */
const OPAQUE = ["clone3", "openat2"];
const BY_ARGUMENTS = ["clone", "ioctl", "personality", "socket", "socketpair"];

/** The filter for this machine, as bubblewrap takes it; nothing where the architecture isn't known. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  const architecture = ARCHITECTURES[arch];
  return architecture === undefined ? undefined : assemble(linesOf(architecture));
}

function linesOf({ audit, calls }: Architecture): Line[] {
  const number = (name: string): number => {
    const found = calls[name];
    if (found === undefined) throw new Error(`the filter has no number for ${name}`);
    return found;
  };
  const modes = Object.keys(MODES).filter((name) => name in calls);
  const refused = Object.keys(calls).filter((name) => ![...BY_ARGUMENTS, ...OPAQUE, ...modes].includes(name));
  return [
    load(ARCH),
    unlessEqual(audit, "kill"),
    load(NUMBER),
    ifAtLeast(X32, "kill"),
    ifAtLeast(FIRST_UNKNOWN, "unknown"),
    ...[...BY_ARGUMENTS, ...modes].map((name) => ifEqual(number(name), name)),
    ...OPAQUE.map((name) => ifEqual(number(name), "unknown")),
    ...refused.map((name) => ifEqual(number(name), "refuse")),
    label("allow"),
    give(ALLOW),

    label("clone"),
    load(argument(0)),
    and(NEW_NAMESPACES),
    ifEqual(0, "allow clone"),
    give(ERRNO | EPERM),
    label("allow clone"),
    give(ALLOW),

    label("ioctl"),
    load(argument(1)),
    ...[TIOCSTI, TIOCLINUX].map((request) => ifEqual(request, "refuse")),
    give(ALLOW),

    label("personality"),
    load(argument(0)),
    ...PERSONALITIES.map((one) => ifEqual(one, "allow personality")),
    give(ERRNO | EPERM),
    label("allow personality"),
    give(ALLOW),

    label("socket"),
    label("socketpair"),
    load(argument(0)),
    ...[AF_UNIX, AF_INET, AF_INET6].map((family) => ifEqual(family, "allow socket")),
    unlessEqual(AF_NETLINK, "no family"),
    load(argument(2)),
    unlessEqual(NETLINK_ROUTE, "no family"),
    label("allow socket"),
    give(ALLOW),
    label("no family"),
    give(ERRNO | EAFNOSUPPORT),

    ...modes.flatMap(modeLines),

    label("refuse"),
    give(ERRNO | EPERM),
    label("unknown"),
    give(ERRNO | ENOSYS),
    label("kill"),
    give(KILL),
  ];
}

function modeLines(name: string): Line[] {
  const { mode = 0, flags } = MODES[name] ?? {};
  const allow = `allow ${name}`;
  return [
    label(name),
    ...(flags === undefined ? [] : [load(argument(flags)), and(O_CREAT_OR_TMPFILE), ifEqual(0, allow)]),
    load(argument(mode)),
    and(SETUID_SETGID),
    ifEqual(0, allow),
    give(ERRNO | EPERM),
    label(allow),
    give(ALLOW),
  ];
}
