import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { keepLog, run } from "./command.mjs";
import { explain, Failure } from "./failure.mjs";
import { say } from "./progress.mjs";

/**
 * What is needed beyond npm packages: `tests` can't do without, a server can. `here` is asked at every start: it must not take more than a few milliseconds
 * where the answer is yes.
 *
 * @type {{ name: string, here: () => boolean, packages: string[], why: string, serves?: boolean }[]}
 */
const NEEDS = [
  {
    name: "C compiler",
    here: () => onPath("cc") && (existsSync("/usr/include/stdio.h") || compiles("#include <stdio.h>")),
    packages: ["gcc", "libc6-dev"],
    why: "tests make disks fail with a small C library",
  },
  {
    name: "bubblewrap",
    here: () => onPath("bwrap"),
    packages: ["bubblewrap"],
    why: "commands run in a sandbox",
    serves: true,
  },
  {
    name: "curl",
    here: () => onPath("curl"),
    packages: ["curl"],
    why: "tests reach servers from inside a sandbox",
  },
  {
    name: "openssl",
    here: () => onPath("openssl"),
    packages: ["openssl"],
    why: "tests make certificates for them",
  },
  {
    name: "python3",
    here: () => onPath("python3"),
    packages: ["python3-minimal"],
    why: "tests fill memory with it",
  },
  {
    name: "Chromium",
    here: () => onPath("chromium"),
    packages: ["chromium"],
    why: "tests use the pages as a person does",
  },
];

/** It asks nothing, and words its errors so that we know them. */
const UNATTENDED = { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };

/**
 * @param {string} root
 * @returns {import("./main.mjs").Step | undefined}
 */
export function systemStep(root) {
  const missing = NEEDS.filter((need) => !need.here());
  if (missing.length === 0) return undefined;
  const packages = missing.flatMap((need) => need.packages);
  const install = ["install", "-y", "--no-install-recommends", ...packages];
  const administrator = becomeAdministrator(packages, install);
  return {
    what: packages.join(", "),
    why: missing.map((need) => `${need.why}, and this machine has no ${need.name}`).join("; "),
    work: (lock) => installPackages({ root, packages, install, administrator }, lock),
  };
}

/**
 * What a server wants and can do without: got where nobody has to be asked for it, and tried once. `choir doctor` tells of
 * what is missing.
 *
 * @param {string} root
 * @returns {import("./main.mjs").Step | undefined}
 */
export function serverStep(root) {
  const missing = NEEDS.filter((need) => need.serves && !need.here());
  const tried = join(root, ".runtime", "tried-system-packages");
  if (missing.length === 0 || process.getuid?.() !== 0 || !onPath("apt-get") || existsSync(tried)) return undefined;
  const packages = missing.flatMap((need) => need.packages);
  const install = ["install", "-y", "--no-install-recommends", ...packages];
  return {
    what: packages.join(", "),
    why: missing.map((need) => `${need.why}, and this machine has no ${need.name}`).join("; "),
    work: async (lock) => {
      writeFileSync(tried, "");
      try {
        await installPackages({ root, packages, install, administrator: [] }, lock);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        say(`${error.message}\nChoirOS starts without it.`);
      }
    },
  };
}

/**
 * @param {{ root: string, packages: string[], install: string[], administrator: string[] }} task
 * @param {import("./lock.mjs").Lock} lock
 */
async function installPackages({ root, packages, install, administrator }, lock) {
  const env = { ...process.env, ...UNATTENDED };
  /** @param {string[]} args */
  const apt = (args) => {
    const argv = [...administrator, "apt-get", "-o", "DPkg::Lock::Timeout=300", ...args];
    // A package manager that is killed halfway leaves the system for its owner to repair: let it come to an end.
    return run(argv, { env, grace: 300_000, started: lock.shareWith });
  };

  let { ok, output } = hasPackageLists() ? await apt(install) : { ok: false, output: "" };
  if (!ok) {
    // The lists of packages are missing or out of date. Without a network apt only warns here and fails at the install,
    // for want of the package: what both wrote tells why.
    const update = await apt(["update"]);
    const again = await apt(install);
    ({ ok } = again);
    output = update.output + again.output;
  }
  if (ok) return;
  const failed = `Could not install ${packages.join(", ")}`;
  throw new Failure(explain(failed, output, root) + keepLog(root, "apt.log", output));
}

/**
 * @param {string[]} packages
 * @param {string[]} install
 * @returns {string[]} what to put before a command that only an administrator may run
 */
function becomeAdministrator(packages, install) {
  const wish = `Tests need ${packages.join(", ")}`;
  if (!onPath("apt-get")) {
    throw new Failure(`${wish}: install the like with this system's package manager, and run the same command again.`);
  }
  if (process.getuid?.() === 0) return [];
  const sudo = onPath("sudo");
  if (sudo && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0) {
    return ["sudo", "-n", "env", ...Object.entries(UNATTENDED).map(([name, value]) => `${name}=${value}`)];
  }
  const command = ["apt-get", ...install].join(" ");
  const line = sudo ? `sudo apt-get update && sudo ${command}` : `su - -c 'apt-get update && ${command}'`;
  throw new Failure(
    `${wish}, and only an administrator can install them. Run this, then the same command again:\n\n  ${line}\n`,
  );
}

/** @param {string} command */
function onPath(command) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => folder !== "" && existsSync(join(folder, command)));
}

/** @param {string} source */
function compiles(source) {
  return spawnSync("cc", ["-E", "-x", "c", "-"], { input: source, stdio: ["pipe", "ignore", "ignore"] }).status === 0;
}

function hasPackageLists() {
  try {
    return readdirSync("/var/lib/apt/lists").some((name) => name.includes("Packages"));
  } catch {
    return false;
  }
}
