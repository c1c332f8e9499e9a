import { spawn } from "node:child_process";
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { makePlace } from "./place.ts";
import type { Probe } from "./probe.ts";

export const place = makePlace();
/** Another person's computer, and the server's own things. */
const other = join(place.folder, "other");
const secret = join(place.folder, "secret");
const socket = join(place.folder, "socket");
const abstract = `choir-probe-${process.pid}`;
mkdirSync(join(other, "workspace"), { recursive: true });
writeFileSync(join(other, "workspace", "diary"), "dear diary\n");
writeFileSync(secret, "secret\n", { mode: 0o600 });
for (const [name, target] of [
  ["to-secret", secret],
  ["to-choir", "../.choir/secret"],
  ["to-other", join(other, "workspace")],
  ["to-root", "/"],
] as const) {
  symlinkSync(target, join(place.root, "workspace", name));
}

/** Of a Unix socket's address. */
const SOCKET_NAME_BYTES = 108;
const servers: Server[] = [];
const [port] = await Promise.all([
  listen({ port: 0, host: "127.0.0.1" }),
  listen({ path: socket }),
  listen({ path: `\0${abstract}` }),
  // As a Node before 22 spells such a name, which may be the one that runs the probes: filled up with zeros.
  listen({ path: `\0${abstract}`.padEnd(SOCKET_NAME_BYTES, "\0") }),
]);
/** Memory that looks like a file, which the machine's processes share. */
const shared = `/dev/shm/choir-probe-${process.pid}`;
writeFileSync(shared, "shared\n");
process.env.CHOIR_PROBE_SECRET = "in the server's environment";
/** A process of the host that a probe may try to find and to end. */
const victim = spawn("sleep", ["1000"], { stdio: "ignore" });

const workspace = join(place.root, "workspace");
/** `nc`, in what every sandbox has. */
const connect = (where: string) =>
  `node -e 'require("net").connect(${where}).on("connect",()=>process.exit(0)).on("error",()=>process.exit(1))'`;

/** There is nothing but loopback. */
const OFFLINE = 'test -z "$(ls /sys/class/net | grep -vx lo)"';
/** CAP_SYS_RESOURCE isn't given to these tests. */
const UNPRIVILEGED = `test $(( 0x$(sed -n 's/^CapEff:\\s*//p' /proc/self/status) >> 24 & 1 )) = 0`;

/** Each tries to reach something that isn't the computer's. */
export const reachProbes: readonly Probe[] = [
  { name: "read a file of the server's", shell: `cat '${secret}'` },
  { name: "read it through a link in the workspace", shell: "cat to-secret", control: `cat '${workspace}/to-secret'` },
  {
    name: "read it through the first process's root",
    shell: `cat '/proc/1/root${secret}'`,
    control: `cat '/proc/${victim.pid}/root${secret}'`,
  },
  { name: "read it through its own root", shell: `cat '/proc/self/root${secret}'` },
  { name: "list another person's computer", shell: `ls '${other}/workspace'` },
  { name: "read another person's file", shell: `cat '${other}/workspace/diary'` },
  {
    name: "reach another computer by a link",
    shell: "cat to-other/diary",
    control: `cat '${workspace}/to-other/diary'`,
  },
  { name: "write to another person's computer", shell: `touch '${other}/workspace/x'` },
  { name: "see `.choir`", shell: "test -e /home/choir/.choir", control: `test -e '${place.root}/.choir'` },
  {
    name: "read what is in `.choir`",
    shell: "cat /home/choir/.choir/secret",
    control: `cat '${place.root}/.choir/secret'`,
  },
  { name: "read `.choir` through a link", shell: "cat to-choir", control: `cat '${workspace}/to-choir'` },
  { name: "read `.choir` by the host's path", shell: `cat '${place.root}/.choir/secret'` },
  {
    name: "see the host's folders through a link to its root",
    shell: `ls 'to-root${place.folder}'`,
    control: `ls '${workspace}/to-root${place.folder}'`,
  },
  { name: "write to the root `.git`", shell: "touch /home/choir/.git/x", control: `touch '${place.root}/.git/x'` },
  {
    name: "change what the root `.git` says",
    shell: "echo x >> /home/choir/.git/HEAD",
    control: `echo x >> '${place.root}/.git/HEAD'`,
  },
  {
    name: "move the root `.git` away",
    shell: "mv /home/choir/.git /home/choir/x",
    control: `mv '${place.root}/.git' '${place.root}/x' && mv '${place.root}/x' '${place.root}/.git'`,
  },
  {
    name: "move the workspace away",
    shell: "mv /home/choir/workspace /home/choir/x",
    control: `mv '${workspace}' '${workspace}-x' && mv '${workspace}-x' '${workspace}'`,
  },
  { name: "read the host's password hashes", shell: "cat /etc/shadow" },
  { name: "read the host's list of users", shell: "grep -q daemon /etc/passwd" },
  { name: "read the host's private TLS keys", shell: "ls /etc/ssl/private", absent: "! test -e /etc/ssl/private" },
  {
    name: "read the host's SSH keys and settings",
    shell: "ls /etc/ssh || ls ~root/.ssh",
    absent: "! test -e /etc/ssh && ! test -e ~root/.ssh",
  },
  { name: "see the host's root home", shell: "ls -d /root" },
  { name: "see the host's homes", shell: "ls /home | grep -vx choir", absent: 'test -z "$(ls -A /home)"' },
  { name: "see the host's /var", shell: "ls /var" },
  { name: "see the host's /run", shell: "ls /run" },
  { name: "see the host's /srv, /mnt or /media", shell: "ls /srv || ls /mnt || ls /media" },
  { name: "see the host's /boot", shell: "ls /boot", absent: "! test -e /boot" },
  { name: "see the host's /tmp", shell: "ls -A /tmp | grep ." },
  { name: "see the machine's hardware", shell: "ls /sys/class" },
  { name: "see the control groups", shell: "ls /sys/fs/cgroup" },
  {
    name: "find the disks",
    shell: "ls /dev | grep -E '^(vd|sd|nvme|dm-|mapper)'",
    absent: "! ls /sys/block | grep -qE '^(vd|sd|nvme|dm-)'",
  },
  {
    name: "open the machine's memory",
    shell: "head -c 1 /dev/mem || head -c 1 /dev/kmem || ls /dev/mem",
    absent: "! test -e /dev/mem && ! test -e /dev/kmem",
  },
  {
    name: "read the kernel's messages",
    shell: "dd if=/dev/kmsg bs=8k count=1 iflag=nonblock",
    absent: "! test -e /dev/kmsg",
  },
  {
    name: "make a device",
    shell: "mknod /tmp/disk b 254 0",
    control: "mknod /tmp/choir-probe b 254 0 && rm /tmp/choir-probe",
  },
  {
    name: "write to /usr",
    shell: "touch /usr/bin/choir-probe",
    control: "touch /usr/bin/choir-probe && rm -f /usr/bin/choir-probe",
    absent: "! test -w /usr/bin",
  },
  { name: "change the mode of a program of the host", shell: "chmod 755 /usr/bin/env" },
  {
    name: "write to /etc",
    shell: "touch /etc/choir-probe",
    control: "touch /etc/choir-probe && rm -f /etc/choir-probe",
    absent: "! test -w /etc",
  },
  {
    name: "put a library before all others",
    shell: "touch /etc/ld.so.preload",
    // An empty list, for a moment.
    control:
      "if test -e /etc/ld.so.preload; then touch /etc/ld.so.preload; else touch /etc/ld.so.preload && rm -f /etc/ld.so.preload; fi",
    absent: "! test -w /etc",
  },
  {
    name: "write to the root directory",
    shell: "touch /choir-probe",
    control: "touch /choir-probe && rm -f /choir-probe",
    absent: "! test -w /",
  },
  {
    name: "say what the kernel runs when a program crashes",
    shell: "cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern",
  },
  { name: "set a switch of the kernel", shell: "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness" },
  {
    name: "set the kernel's helper for modules",
    shell: "cat /proc/sys/kernel/modprobe > /proc/sys/kernel/modprobe",
    absent: "! test -e /proc/sys/kernel/modprobe",
  },
  { name: "press the kernel's keys", shell: "echo h > /proc/sysrq-trigger", absent: "! test -e /proc/sysrq-trigger" },
  { name: "read the kernel's keys", shell: "cat /proc/keys", absent: "! test -e /proc/keys" },
  { name: "read the kernel's memory", shell: "head -c 1 /proc/kcore", absent: "! test -e /proc/kcore" },
  {
    name: "count the pages of the machine's memory",
    shell: "head -c 8 /proc/kpagecount",
    absent: "! test -e /proc/kpagecount",
  },
  {
    name: "change the mode of the machine's /dev/null",
    shell: "chmod 666 /dev/null && test $(stat -c %d-%i /dev/null) = $DEVNULL",
  },
  { name: "see a process of the host", shell: `ps ax | grep -v grep | grep -q 'sleep 1000'` },
  { name: "end a process of the host", shell: `kill -0 ${victim.pid}` },
  { name: "read the server's environment", shell: "cat /proc/*/environ | grep -aq CHOIR_PROBE_SECRET" },
  { name: "have the server's environment", shell: "env | grep -q CHOIR_PROBE_SECRET" },
  { name: "learn the host's name", shell: "test $(uname -n) != choir" },
  { name: "change the host's name", shell: "hostname choir-probe", control: "unshare --uts hostname choir-probe" },
  {
    name: "have a file that the server had open",
    shell: "test $(ls /proc/self/fd | wc -l) -gt 4",
    control: "exec 7</etc/passwd 8</etc/passwd 9</etc/passwd; test $(ls /proc/self/fd | wc -l) -gt 4",
  },
  { name: "connect to the host's loopback", shell: connect(`${port},"127.0.0.1"`) },
  { name: "connect to the host's loopback by name", shell: connect(`${port},"localhost"`) },
  { name: "connect to a socket of the host", shell: connect(JSON.stringify(socket)) },
  { name: "connect to an abstract socket of the host", shell: connect(`"\\0${abstract}"`) },
  { name: "have a network interface but loopback", shell: "tail -n +3 /proc/net/dev | grep -v lo:", absent: OFFLINE },
  { name: "have a route out", shell: "tail -n +2 /proc/net/route | grep .", absent: OFFLINE },
  {
    name: "reach the address of the cloud's metadata",
    shell: `timeout 2 ${connect('80,"169.254.169.254"')}`,
    control: { none: "not every machine has one" },
  },
  { name: "ask a name server", shell: "test -e /etc/resolv.conf" },
  { name: "become root by a program that may", shell: "su -c true" },
  { name: "have a capability", shell: "grep -Eq 'Cap(Eff|Prm|Inh|Bnd|Amb):.*[1-9a-f]' /proc/self/status" },
  { name: "gain privileges by running a program", shell: "grep -Eq 'NoNewPrivs:.*0' /proc/self/status" },
  { name: "run without a filter of system calls", shell: "grep -Eq 'Seccomp:.*0' /proc/self/status" },
  {
    name: "make a program that is root's for everybody",
    shell: "cp /bin/true ./program && chmod u+s ./program && test -u ./program",
    control: `cp /bin/true '${workspace}/program' && chmod u+s '${workspace}/program' && test -u '${workspace}/program'`,
  },
  { name: "be root", shell: "test $(id -u) = 0" },
  { name: "make a user namespace", shell: "unshare --user true" },
  { name: "make a user namespace and be root in it", shell: "unshare --user --map-root-user true" },
  {
    name: "mount a file system",
    shell: "mount -t tmpfs none /tmp",
    control: "unshare --mount mount -t tmpfs none /tmp",
  },
  {
    name: "make a mount writable",
    shell: "mount -o remount,rw /usr",
    control: "unshare --mount mount -o remount,rw /",
  },
  { name: "take a mount away", shell: "umount /usr || umount /proc", control: "unshare --mount umount -l /proc" },
  { name: "change the root", shell: "chroot /tmp /bin/true || chroot / true", control: "chroot / true" },
  { name: "see the shared memory of the host", shell: `cat ${shared}` },
  {
    name: "leave a dump of memory",
    shell: "ulimit -c unlimited; test $(ulimit -c) != 0",
    absent: "test $(ulimit -Hc) = 0",
  },
  {
    name: "be more important than others",
    shell: "nice -n -5 true 2>&1 | grep -q 'cannot' && exit 1; nice -n -5 sh -c 'test $(nice) -lt 0'",
  },
  { name: "outlive its memory's end", shell: "echo -1000 > /proc/self/oom_score_adj", absent: UNPRIVILEGED },
];

const { dev, ino } = statSync("/dev/null");
/** What the probes need to know of the host. */
export const env = { DEVNULL: `${dev}-${ino}` };

/** Ends what the probes were to find. */
export async function endReach(): Promise<void> {
  victim.kill();
  rmSync(shared);
  for (const server of servers) server.close();
  await place.remove();
}

/** Until all tests are over; gives the port, where there is one. */
function listen(where: { port?: number; host?: string; path?: string }): Promise<number> {
  const server = createServer((client) => client.end());
  servers.push(server);
  return new Promise((resolve) =>
    server.listen(where, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    }),
  );
}
