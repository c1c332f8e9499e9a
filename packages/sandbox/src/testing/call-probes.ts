import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ARCHITECTURES } from "../seccomp/system-calls.ts";
import type { Probe } from "./probe.ts";

/** Arguments that make the kernel say no for another reason than ours, or that do no harm. */
const CALLS: Readonly<Record<string, string>> = {
  "add_key (keep a secret in the kernel)": "add_key 0 0 0 0 0",
  "request_key (ask for a secret of the kernel's)": "request_key 0 0 0 0",
  "keyctl (reach the keyring of the server)": "keyctl 0 -3 0",
  "mount (mount a file system)": "mount 0 0 0 0 0",
  "umount2 (take a mount away)": "umount2 0 0",
  "pivot_root (change the root)": "pivot_root 0 0",
  "fsopen (mount by the newer way)": "fsopen 0 0",
  "fsconfig (configure a file system)": "fsconfig -1 0 0 0 0",
  "fsmount (make a mount)": "fsmount -1 0 0",
  "fspick (change a mounted file system)": "fspick -1 0 0",
  "open_tree (copy a mount)": "open_tree -1 0 0",
  "move_mount (move a mount)": "move_mount -1 0 -1 0 0",
  "mount_setattr (make a mount writable)": "mount_setattr -1 0 0 0 0",
  "statmount (look at the mounts of others)": "statmount 0 0 0 0",
  "listmount (list the mounts of others)": "listmount 0 0 0 0",
  "ptrace (trace a process)": "ptrace 0 0 0 0",
  "process_vm_readv (read the memory of another)": "process_vm_readv self 0 0 0 0 0",
  "process_vm_writev (write the memory of another)": "process_vm_writev self 0 0 0 0 0",
  "pidfd_getfd (take a file of another process)": "pidfd_getfd -1 0 0",
  "kcmp (compare processes)": "kcmp self self 0 0 0",
  "unshare with a user namespace": "unshare 0x10000000",
  "unshare with a mount namespace": "unshare 0x00020000",
  "unshare with a network namespace": "unshare 0x40000000",
  "unshare with a time namespace": "unshare 0x00000080",
  "setns (enter a namespace)": "setns -1 0",
  "clone with a user namespace": "clone 0x10000011 0 0 0 0",
  "clone with a mount namespace": "clone 0x00020011 0 0 0 0",
  "clone with a process namespace": "clone 0x20000011 0 0 0 0",
  "clone with a network namespace": "clone 0x40000011 0 0 0 0",
  "clone3 (whose flags no filter can see)": "clone3 0 0",
  "bpf (load a program into the kernel)": "bpf 0 0 0",
  "perf_event_open (watch the machine)": "perf_event_open 0 0 0 0 0",
  "userfaultfd (hold the kernel up)": "userfaultfd 0",
  "io_uring_setup (go round the filter)": "io_uring_setup 0 0",
  "io_uring_enter (go round the filter)": "io_uring_enter -1 0 0 0 0 0",
  "io_uring_register (go round the filter)": "io_uring_register -1 0 0 0",
  "kexec_load (boot another kernel)": "kexec_load 0 0 0 0xffff",
  "kexec_file_load (boot another kernel from a file)": "kexec_file_load -1 -1 0 0 0xffff",
  "init_module (load a module)": "init_module 0 0 0",
  "finit_module (load a module from a file)": "finit_module -1 0 0",
  "delete_module (unload a module)": "delete_module 0 0",
  "reboot (stop the machine)": "reboot 0 0 0 0",
  "swapon (add swap)": "swapon 0 0",
  "swapoff (remove swap)": "swapoff 0",
  "open_by_handle_at (open a file by its number, wherever it is)": "open_by_handle_at -1 0 0",
  "name_to_handle_at (learn a file's number)": "name_to_handle_at -1 0 0 0 0",
  "quotactl (change quotas)": "quotactl 0 0 0 0",
  "quotactl_fd (change quotas by descriptor)": "quotactl_fd -1 0 0 0",
  "acct (write accounts of processes)": "acct 1",
  "settimeofday (set the clock)": "settimeofday 0 0",
  "clock_settime (set a clock)": "clock_settime 0 0",
  "adjtimex (tune the clock)": "adjtimex 0",
  "clock_adjtime (tune a clock)": "clock_adjtime 0 0",
  "syslog (read the kernel's messages)": "syslog 10 0 0",
  "fanotify_init (watch the whole disk)": "fanotify_init 0 0",
  "personality without random addresses": "personality 0x40000",
  "ioctl TIOCSTI (type into a terminal)": "ioctl 0 0x5412 0",
  "ioctl TIOCLINUX (paste into a console)": "ioctl 0 0x541c 0",
  "socket of AF_VSOCK (speak to the machine's host)": "socket 40 1 0",
  "socket of AF_PACKET (read raw packets)": "socket 17 3 0",
  "socket of AF_ALG (the kernel's cryptography)": "socket 38 5 0",
  "socket of AF_KEY (the keys of IPsec)": "socket 15 3 2",
  "socket of AF_BLUETOOTH": "socket 31 3 1",
  "socket of AF_CAN": "socket 29 3 1",
  "socket of AF_TIPC": "socket 30 2 0",
  "socket of AF_RDS": "socket 21 5 0",
  "socket of AF_XDP": "socket 44 3 0",
  "socket of netlink for devices": "socket 16 3 15",
  "socket of netlink for audit": "socket 16 3 9",
  "socket of netlink for packet filters": "socket 16 3 12",
  "socket of netlink for anything": "socket 16 3 16",
  "socketpair of AF_VSOCK": "socketpair 40 1 0 1",
  "fchmod with a setuid bit": "fchmod -1 04755",
  "fchmod with a setgid bit": "fchmod -1 02755",
  "fchmodat with a setuid bit": "fchmodat -100 0 04755",
  "fchmodat2 with a setuid bit": "fchmodat2 -100 0 04755 0",
  "mknodat with a setuid bit": "mknodat -100 0 0104755 0",
  "openat that makes a file with a setuid bit": "openat -100 0 0101 04755",
  "openat that makes a nameless file with a setuid bit": "openat -100 0 020200002 04755",
  "openat2 (whose mode no filter can see)": "openat2 -100 0 0 24",
  "a system call newer than the filter": "467 -1 0 0 0 0",
};
/** Only where the machine has them. */
const OTHER_WAYS_IN: Readonly<Record<string, string>> = {
  "iopl (reach the hardware)": "iopl 4",
  "ioperm (reach a port of the hardware)": "ioperm 0 0 0",
  "modify_ldt (change the table of segments)": "modify_ldt 0 0 0",
  "chmod with a setuid bit": "chmod 0 04755",
  "creat with a setuid bit": "creat 0 04755",
  "mknod with a setuid bit": "mknod 0 0104755 0",
  "open that makes a file with a setuid bit": "open 0 0101 04755",
  "the system calls of i386": "i386",
  "the system calls of x32": "0x40000027",
};
/** They do what must go on working. */
const ALLOWED: Readonly<Record<string, string>> = {
  fork: "clone 0x11 0 0 0 0",
  "a socket of the file system": "socket 1 1 0",
  "a socket of IPv4": "socket 2 1 0",
  "a socket of IPv6": "socket 10 1 0",
  "a socket that tells one's own interfaces": "socket 16 3 0",
  "changing the mode of a file otherwise": "fchmod -1 0755",
  "opening a file that is there, with anything for a mode": "openat -100 0 0 04755",
  "making a file": "openat -100 0 0101 0755",
  "asking for one's personality": "personality 0xffffffff",
};

const refused = process.arch === "x64" ? { ...CALLS, ...OTHER_WAYS_IN } : CALLS;

/** One system call each, made by the program that `$CALL` names. */
export const refusedCalls: readonly Probe[] = probesOf(refused);
export const allowedCalls: readonly Probe[] = probesOf(ALLOWED);

export function compileCall(folder: string): string {
  const program = join(folder, "call");
  execFileSync("cc", ["-static", "-o", program, join(import.meta.dirname, "call.c")]);
  return program;
}

function probesOf(calls: Readonly<Record<string, string>>): Probe[] {
  const numbers = ARCHITECTURES[process.arch]?.calls ?? {};
  return Object.entries(calls).map(([name, words]) => {
    const [call = "", ...args] = words.split(" ");
    const shell = `"$CALL" ${[numbers[call] ?? call, ...args].join(" ")}`;
    return { name, shell, absent: `${shell}; test $? = 3` };
  });
}
