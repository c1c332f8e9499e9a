import type { Limits } from "../limits.ts";
import type { OverlayDirs } from "../sandbox.ts";
import { ARGUMENTS_FD, SECCOMP_FD, STATUS_FD } from "./arguments.ts";

/** Programs of the host, by their paths. */
export interface Programs {
  readonly bwrap: string;
  readonly sh: string;
  /** It can close any descriptor; those of two digits are beyond a plain shell, which is quicker to start. */
  readonly bash: string;
  readonly mkfifo: string;
  readonly mount: string;
  readonly unshare: string;
  readonly prlimit: string;
}

export interface Chain {
  /** What goes before everything: it joins a network. */
  readonly prefix: readonly string[];
  /** Descriptors to close. */
  readonly inherited: readonly number[];
  /** Files to write to in order to be in the command's control group. */
  readonly joins: readonly string[];
  readonly limits: Limits;
  /** Nothing else limits memory and processes. */
  readonly alone: boolean;
  readonly overlay?: OverlayDirs & { readonly lower: string; readonly merged: string };
  /** What it reads, where it isn't given anything. */
  readonly input?: string;
  readonly argumentsFile: string;
  readonly seccompFile: string;
  /** Where no descriptor can be handed over. */
  readonly statusFile?: string;
}

/**
 * The programs that become the command one after the other, in one process: `unshare` makes a mount namespace of its
 * own, in which a shell mounts the overlay, so that it is gone with the last process in it; then bubblewrap.
 */
export function chainOf(programs: Programs, chain: Chain, argv: readonly string[]): string[] {
  const { unshare, prlimit } = programs;
  const sh = chain.inherited.some((fd) => fd > 9) ? programs.bash : programs.sh;
  const own = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
  return [
    ...chain.prefix,
    ...(chain.overlay === undefined ? [] : [unshare, ...own, "--propagation", "private", "--"]),
    ...[sh, "-c", scriptOf(programs, chain), "sh"],
    // Counted by user and by user namespace: only from inside it counts this command's processes alone. Far beyond the
    // limit, so that whoever looks sees it passed before something fails by this, which says nothing to us.
    ...(chain.alone && Number.isFinite(chain.limits.processes)
      ? [prlimit, `--nproc=${chain.limits.processes * 4 + 256}`, "--"]
      : []),
    ...argv,
  ];
}

function scriptOf({ bwrap, mount, prlimit }: Programs, chain: Chain): string {
  return [
    // Once the server is gone nobody would end what starts here.
    `[ "$PPID" = ${process.pid} ] || exit 125`,
    "umask 022", // the server's own is its own
    ...chain.inherited.map((fd) => `exec ${fd}>&-`),
    ...chain.joins.map((file) => `echo 0 > ${quote(file)} || exit 125`),
    ...overlayLines(mount, chain),
    ...(chain.input === undefined ? [] : [`exec <${quote(chain.input)}`]),
    ...(chain.statusFile === undefined ? [] : [`exec ${STATUS_FD}>${quote(chain.statusFile)}`]),
    `exec ${ARGUMENTS_FD}<${quote(chain.argumentsFile)} ${SECCOMP_FD}<${quote(chain.seccompFile)}`,
    `exec ${quote(prlimit)} ${limitOptions(chain).join(" ")} -- ${quote(bwrap)} --args ${ARGUMENTS_FD} -- "$@"`,
  ].join("\n");
}

/** In bytes. A shell's own `ulimit` counts in units that each shell has chosen for itself. */
function limitOptions({ limits, alone }: Chain): string[] {
  return [
    "--core=0",
    ...limitOption("nofile", limits.openFiles),
    ...limitOption("fsize", limits.diskBytes),
    // For the moment between two looks: what one process asks for at once. Twice the limit, so that whoever looks sees it
    // passed before something fails by this, which says nothing to us.
    ...(alone ? limitOption("data", 2 * limits.memoryBytes) : []),
  ];
}

function limitOption(name: string, most: number): string[] {
  return Number.isFinite(most) ? [`--${name}=${Math.min(Math.ceil(most), Number.MAX_SAFE_INTEGER)}`] : [];
}

/** By descriptors: in an option of `mount`, a comma or a colon in a name would be more than a name. */
function overlayLines(mount: string, { overlay }: Chain): string[] {
  if (overlay === undefined) return [];
  const options = process.getuid?.() === 0 ? AS_ROOT : AS_ANYBODY;
  return [
    `exec 4<${quote(overlay.lower)} 5<${quote(overlay.upper)} 6<${quote(overlay.work)}`,
    // volatile: nobody waits for the disk. What is kept of the upper directory is made durable when it lands. The rest is
    // off whatever the system's default is: the upper directory must hold all that was changed, and not point elsewhere.
    `${quote(mount)} -n -i -t overlay -o lowerdir=/proc/self/fd/4,upperdir=/proc/self/fd/5,workdir=/proc/self/fd/6,${options} overlay ${quote(overlay.merged)} || exit 125`,
    "exec 4<&- 5<&- 6<&-",
  ];
}

const AS_ROOT = "volatile,redirect_dir=off,metacopy=off,index=off";
/** With attributes of this kind the others are off by themselves, and may not even be named. */
const AS_ANYBODY = "volatile,userxattr";

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
