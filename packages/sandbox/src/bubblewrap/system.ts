import { accessSync, constants, cpSync, existsSync, lstatSync, mkdirSync, readlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOME_INSIDE } from "../sandbox.ts";

/** Who one is inside, whoever runs the server. */
export const UID_INSIDE = 1000;
export const HOSTNAME_INSIDE = "choir";
const NODE_INSIDE = "/opt/node/bin";

/** Directories of the root that a system either has, or has as links into `/usr`. */
const ROOT_DIRECTORIES = ["bin", "lib", "lib32", "lib64", "libx32", "sbin"];

/** Of `/etc`, what programs need to run and what holds no secret. Small files are copied, directories shown. */
const ETC_FILES = [
  "bash.bashrc",
  "debian_version",
  "inputrc",
  "ld.so.cache",
  "ld.so.conf",
  "localtime",
  "mime.types",
  "os-release",
  "profile",
  "protocols",
  "services",
  "shells",
  "ssl/openssl.cnf",
];
const ETC_DIRECTORIES = ["alternatives", "pki/ca-trust/extracted", "pki/tls/certs", "ssl/certs"];

const MADE_UP: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/:/usr/sbin/nologin\nchoir:x:${UID_INSIDE}:${UID_INSIDE}:choir:${HOME_INSIDE}:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`,
  group: `root:x:0:\nchoir:x:${UID_INSIDE}:\nnogroup:x:65534:\n`,
  hosts: `127.0.0.1 localhost ${HOSTNAME_INSIDE}\n::1 localhost\n`,
  hostname: `${HOSTNAME_INSIDE}\n`,
  "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n",
};

/** The system inside: `/usr` and what leads there, an `/etc` made at `etc`, and a Node where `/usr` has none. */
export function systemArguments(etc: string): string[] {
  makeEtc(etc);
  return [
    ...["--ro-bind", "/usr", "/usr"],
    ...ROOT_DIRECTORIES.flatMap(rootDirectory),
    ...["--ro-bind", etc, "/etc"],
    ...ETC_DIRECTORIES.filter((name) => existsSync(join("/etc", name))).flatMap((name) => {
      mkdirSync(join(etc, name), { recursive: true });
      return ["--ro-bind", join("/etc", name), join("/etc", name)];
    }),
    ...(hasNode() ? [] : ["--ro-bind", process.execPath, join(NODE_INSIDE, "node")]),
  ];
}

export function pathInside(): string {
  const usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  return hasNode() ? usual : `${usual}:${NODE_INSIDE}`;
}

/** The program of this name that the system itself has. What else is on the server's PATH may be anybody's. */
export function systemProgram(name: string): string | undefined {
  return ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"]
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function hasNode(): boolean {
  return ["/usr/bin/node", "/usr/local/bin/node"].some(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function rootDirectory(name: string): string[] {
  const path = `/${name}`;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return stat.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

function makeEtc(etc: string): void {
  mkdirSync(etc, { recursive: true });
  for (const [name, text] of Object.entries(MADE_UP)) writeFileSync(join(etc, name), text);
  for (const name of ETC_FILES) {
    if (!existsSync(join("/etc", name))) continue;
    mkdirSync(dirname(join(etc, name)), { recursive: true });
    cpSync(join("/etc", name), join(etc, name), { verbatimSymlinks: true });
  }
}
