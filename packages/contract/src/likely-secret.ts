/**
 * Whether a path looks like a key or a password, by its name. Such files are kept like any other, but nothing shows them
 * to a model, pushes or publishes them without a grant.
 */
export function isLikelySecret(key: string): boolean {
  const name = key.slice(key.lastIndexOf("/") + 1).toLowerCase();
  if (HARMLESS.test(name)) return false;
  return isSecretName(name) || isSecretName(originalOf(name)) || SECRET_PLACES.test(`/${key.toLowerCase()}`);
}

function isSecretName(name: string): boolean {
  return !HARMLESS.test(name) && SECRET_NAMES.some((pattern) => pattern.test(name));
}

/** What a file is a copy of, where an editor or somebody careful put it beside that. */
function originalOf(name: string): string {
  const swapped = /^\.(.+)\.sw[a-p]$/.exec(name)?.[1];
  const bare = (swapped ?? name).replace(/^\.?#/, "").replace(BACKUP, "");
  return bare === name ? name : originalOf(bare);
}

const BACKUP =
  /(?:[~#]|[._-](?:bak|backup|old|orig|original|save|saved|copy|tmp|swp|rej|~?\d+~?)| \(\d+\)| \(?copy(?: \d+)?\)?)$/;

/** What is made to be shown: an example, a public key. */
const HARMLESS = /(?:\.(?:example|sample|template|dist)|\.pub)$/;

const SECRET_NAMES = [
  /^\.env(?:\..+)?$|\.env$|^\.envrc(?:\.local)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|age)$/,
  /^(?:\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials|\.dockercfg|_netrc)$/,
  /^(?:credentials|secrets?|service-account|client_secret)(?:[._-].*)?\.(?:json|ya?ml|toml|ini|txt|csv)$/,
  /^(?:credentials|secrets?)$/,
];

const SECRET_PLACES =
  /\/(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker)\/(?!known_hosts|config$|.*\.pub$)[^/]+|\/\.docker\/config\.json$|\/\.kube\/config$/;
