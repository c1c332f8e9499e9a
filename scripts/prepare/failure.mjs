import { userInfo } from "node:os";

/** Something went wrong that a person can do something about; the message says what. */
export class Failure extends Error {}

/**
 * @typedef {object} Found
 * @property {string} sign the words that gave it away
 * @property {string} place the file or folder it happened to
 * @property {string} root
 * @property {string} output
 */

const AGAIN = "and run the same command again";

/**
 * What can go wrong, in the words of npm, apt and the system, and what to do about it. The first that fits is told.
 *
 * @type {{ signs: RegExp, sentence: (found: Found) => string }[]}
 */
const CAUSES = [
  {
    signs: /\b(ENOSPC|EDQUOT)\b|No space left on device/i,
    sentence: ({ place }) => `the disk is full (writing ${place}). Make some room, 1 GB is enough, ${AGAIN}.`,
  },
  {
    signs: /\bEROFS\b|Read-only file system/i,
    sentence: ({ place }) =>
      `${place} is on a read-only file system. Clone to a disk that can be written to, ${AGAIN}.`,
  },
  {
    signs: /\b(EACCES|EPERM)\b|Permission denied/i,
    sentence: ({ place, root }) => `the user ${userName()} may not write ${place}. ${remedyFor(place, root)}`,
  },
  {
    signs: /\bEUSAGE\b|can only install (packages )?(when|with)/,
    sentence: () => `package-lock.json and package.json do not agree. Run npm install to bring them in step, ${AGAIN}.`,
  },
  {
    signs: /\bEINTEGRITY\b|Hash Sum mismatch/i,
    sentence: ({ output }) =>
      `${packageIn(output) ?? "a package"} is not the one that was pinned: its checksum differs. Run npm cache clean --force ` +
      `${AGAIN}; if it stays so, the registry or a proxy on the way serves something else, and it should not be trusted.`,
  },
  {
    signs:
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT|EPROTO|E407)\b|Temporary failure resolving|Could not (resolve|connect)|Failed to fetch|network (timeout|aborted)/i,
    sentence: ({ sign, output }) =>
      `no connection to ${hostIn(output) ?? "the registry"} (${sign}). Check the network, and the proxy if there is one ` +
      `(HTTPS_PROXY, npm config get https-proxy), ${AGAIN}.`,
  },
  {
    signs:
      /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+)\b|unable to get (local )?issuer certificate/i,
    sentence: ({ sign, output }) =>
      `the certificate of ${hostIn(output) ?? "the registry"} is not trusted here (${sign}). Point NODE_EXTRA_CA_CERTS at ` +
      `your network's root certificate ${AGAIN}.`,
  },
  {
    signs: /\b(E401|E403|ENEEDAUTH)\b/,
    sentence: ({ sign, output }) =>
      `${hostIn(output) ?? "the registry"} refused (${sign}). Check the registry and its token in .npmrc ${AGAIN}.`,
  },
  {
    signs: /\b(E404|ETARGET)\b/,
    sentence: ({ output }) =>
      `the registry does not have ${packageIn(output) ?? "a package"}. Check that it is the right one ` +
      `(npm config get registry) ${AGAIN}.`,
  },
  {
    signs: /Unable to locate package|has no installation candidate/i,
    sentence: ({ output }) =>
      `this system's package sources do not have ${packageIn(output) ?? "them"}. Check /etc/apt/sources.list ${AGAIN}.`,
  },
  {
    signs: /Could not get lock|Unable to acquire the dpkg/i,
    sentence: () => `another program is installing system packages. Wait for it to end ${AGAIN}.`,
  },
];

/**
 * @param {string} failed what could not be done
 * @param {string} output of an installer, or the message of a system call that failed
 * @param {string} root
 * @returns {string} what happened and what to do
 */
export function explain(failed, output, root) {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? "";
  // A full disk makes npm stumble over what it could not write, and blame that.
  const evidence = /\bENOSPC\b/.test(output) ? ["ENOSPC"] : [code, output];
  for (const text of evidence) {
    for (const { signs, sentence } of CAUSES) {
      const sign = signs.exec(text)?.[0];
      if (sign) return `${failed}: ${sentence({ sign, place: placeIn(output) ?? root, root, output })}`;
    }
  }
  return `${failed}. It ended with:\n${lastLines(output)}`;
}

/**
 * Only the clone is offered to be given away: npm's cache may lie in a home folder that is somebody else's.
 *
 * @param {string} place
 * @param {string} root
 */
function remedyFor(place, root) {
  if (place !== root && !place.startsWith(`${root}/`)) {
    return `If that is npm's cache, give npm a folder of your own (export npm_config_cache=/tmp/npm-cache) ${AGAIN}.`;
  }
  return `Run it as the user who owns the clone, or take it over (sudo chown -R ${userName()} ${quoted(root)}) ${AGAIN}.`;
}

/**
 * As a shell takes it for one word, whatever is in it.
 *
 * @param {string} word
 */
function quoted(word) {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function userName() {
  try {
    return userInfo().username;
  } catch {
    return `${process.getuid?.()}`; // a user without an entry in /etc/passwd, as in many containers
  }
}

/** @param {string} output */
function placeIn(output) {
  return (/^npm (?:error|ERR!) path (.+)/m.exec(output) ?? /^E[A-Z]+: .* '([^']+)'$/m.exec(output))?.[1];
}

/** @param {string} output */
function hostIn(output) {
  const found =
    /(?:request to|GET|Failed to fetch) https?:\/\/([^/\s'"]+)/.exec(output) ??
    /(?:ENOTFOUND|EAI_AGAIN|resolving|resolve) '?([\w.-]+)/.exec(output);
  return found?.[1];
}

/** @param {string} output */
function packageIn(output) {
  const found =
    /tarball data for (\S+)/.exec(output) ??
    /No matching version found for (\S+?)\.?(?:\s|$)/.exec(output) ??
    /404\s+(?:The requested resource )?'([^']+)'/.exec(output) ??
    /Unable to locate package (\S+)/.exec(output);
  return found?.[1];
}

/** @param {string} output */
function lastLines(output) {
  const lines = output.trimEnd().split("\n");
  return lines
    .slice(-8)
    .map((line) => `  ${line}`)
    .join("\n");
}
