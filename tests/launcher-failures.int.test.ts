import { chmodSync, constants, copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Clone, machineNode, makeClone, makeLastingClone } from "./launcher/clone.ts";
import { someoneElse } from "./launcher/someone-else.ts";

const failures: { promise: string; npm: string; said: RegExp }[] = [
  {
    promise: "without a network it names the host that cannot be reached",
    npm: "npm error code ENOTFOUND\nnpm error network request to https://packages.example/fastify failed, reason: getaddrinfo ENOTFOUND packages.example",
    said: /no connection to packages\.example \(ENOTFOUND\)\. Check the network, and the proxy/,
  },
  {
    promise: "a name server that does not answer is a network failure, in the words of an older npm too",
    npm: "npm ERR! code EAI_AGAIN\nnpm ERR! request to https://packages.example/fastify failed, reason: getaddrinfo EAI_AGAIN packages.example",
    said: /no connection to packages\.example \(EAI_AGAIN\)/,
  },
  {
    promise: "a proxy that refuses is a network failure",
    npm: "npm error code ECONNREFUSED\nnpm error FetchError: request to https://packages.example/fastify failed, reason: connect ECONNREFUSED 127.0.0.1:3128",
    said: /no connection to packages\.example \(ECONNREFUSED\)\. .*HTTPS_PROXY/,
  },
  ...["ETIMEDOUT", "ENETUNREACH", "ECONNRESET", "ERR_SOCKET_TIMEOUT"].map((code) => ({
    promise: `${code} is a network failure`,
    npm: `npm error code ${code}\nnpm error network This is a problem related to network connectivity.`,
    said: new RegExp(`no connection to the registry \\(${code}\\)`),
  })),
  {
    promise: "a full disk is told as such, whatever npm stumbled over afterwards",
    npm: "npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write\nnpm error code ENOENT\nnpm error path /somewhere/package.json",
    said: /the disk is full \(writing \/somewhere\/package\.json\)\. Make some room/,
  },
  {
    promise: "a cache that belongs to somebody else is named, with a way around it",
    npm: "npm error code EACCES\nnpm error syscall mkdir\nnpm error path /home/other/.npm/_cacache/tmp",
    said: /may not write \/home\/other\/\.npm\/_cacache\/tmp\. If that is npm's cache, .*npm_config_cache/,
  },
  {
    promise: "a read-only file system is told as such",
    npm: "npm error code EROFS\nnpm error path /mnt/clone/node_modules",
    said: /\/mnt\/clone\/node_modules is on a read-only file system/,
  },
  {
    promise: "a lockfile that does not fit package.json is brought in step with npm install",
    npm: "npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.",
    said: /package-lock\.json and package\.json do not agree\. Run npm install/,
  },
  {
    promise: "a package with another checksum than the pinned one is not to be trusted",
    npm: "npm warn tarball tarball data for fastify@5.12.8 (sha512-A) seems to be corrupted. Trying again.\nnpm error code EINTEGRITY\nnpm error Integrity checksum failed when using sha512: wanted sha512-A but got sha512-B.",
    said: /fastify@5\.12\.8 is not the one that was pinned.*npm cache clean --force/,
  },
  {
    promise: "a version that the registry does not have is named",
    npm: "npm error code ETARGET\nnpm error notarget No matching version found for fastify@5.99.0.",
    said: /the registry does not have fastify@5\.99\.0\. .*npm config get registry/,
  },
  {
    promise: "a package that the registry does not have is named",
    npm: "npm error code E404\nnpm error 404  'fastify@5.12.8' is not in this registry.",
    said: /the registry does not have fastify@5\.12\.8/,
  },
  {
    promise: "a registry that asks for a token is named",
    npm: "npm error code E401\nnpm error 401 Unauthorized - GET https://packages.example/fastify",
    said: /packages\.example refused \(E401\)\. Check the registry and its token/,
  },
  {
    promise: "a certificate that is not trusted is told as such",
    npm: "npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://packages.example/fastify failed",
    said: /the certificate of packages\.example is not trusted here .*NODE_EXTRA_CA_CERTS/,
  },
  {
    promise: "what is not known is shown in npm's own last words",
    npm: "npm error code 1\nnpm error command failed\nnpm error the flux capacitor is missing",
    said: /It ended with:\n {2}npm error code 1\n.*\n {2}npm error the flux capacitor is missing/,
  },
];

let clone: Clone;
beforeAll(async () => {
  clone = await makeLastingClone();
  await clone.prepare();
  clone.changeLockfile();
  return clone.remove;
});

test.each(failures)("$promise", async ({ npm, said }) => {
  const start = clone.start("scripts/run", ["echo", "never"]);
  (await clone.npm.next()).fail(npm);
  const { code, stdout, stderr } = await start.ended;
  expect(stderr).toMatch(said);
  expect(stderr).toContain("Could not install dependencies");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });

  const log = /The full output is in (.+)/.exec(stderr)?.[1] ?? "";
  expect(readFileSync(log, "utf8")).toBe(npm);
});

test("files that npm could not unpack are a failure, though npm calls them a warning", async () => {
  const start = clone.start("scripts/run", ["true"]);
  (await clone.npm.next()).succeed("npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write");
  expect((await start.ended).stderr).toContain("the disk is full");
});

test.runIf(machineNode.isOld)("a Node that could not be installed leaves nothing behind", async () => {
  const clone = await makeClone();
  const start = clone.start("scripts/run", ["true"]);
  const install = await clone.npm.next();
  mkdirSync(join(install.cwd, "node_modules"));
  install.fail("npm error code ENOSPC");
  expect((await start.ended).stderr).toContain("Could not install Node 24.21.0: the disk is full");
  expect(() => readFileSync(install.cwd)).toThrow("ENOENT");
});

test("a clone that this user may not write says whose it has to be", async () => {
  const clone = await makeClone();
  chmodSync(clone.root, 0o555);
  const { code, stderr } = await clone.start("scripts/run", ["true"], someoneElse).ended;
  chmodSync(clone.root, 0o755);
  expect(code).toBe(1);
  expect(stderr).toContain(`may not write ${clone.root}/.runtime. Run it as the user who owns the clone`);
});

test("without any Node it says which to install", async () => {
  const clone = await makeClone();
  rmSync(join(clone.bin, "node"));
  symlinkSync("/usr/bin/readlink", join(clone.bin, "readlink"));
  const { code, stderr } = await clone.start("scripts/run", ["true"], { env: { PATH: clone.bin } }).ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ChoirOS needs Node\.js, and there is none on the PATH: install Node 24 or newer/);
});

test("without npm it says how to get it", async () => {
  const clone = await makeClone();
  await clone.prepare();
  clone.changeLockfile();
  // A copy, because npm usually lies beside the Node that a link would lead to.
  rmSync(join(clone.bin, "node"));
  copyFileSync(process.execPath, join(clone.bin, "node"), constants.COPYFILE_FICLONE);
  symlinkSync("/usr/bin/readlink", join(clone.bin, "readlink"));
  const env = { npm_execpath: undefined, PATH: clone.bin };
  expect((await clone.start("scripts/run", ["true"], { env }).ended).stderr).toContain("npm is not here. Install it");
});
