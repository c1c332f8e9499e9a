import { expect, test } from "vitest";
import { isLikelySecret } from "./likely-secret.ts";

const SECRETS = [
  ...[
    ".env",
    ".env.local",
    "prod.env",
    "app/.env.production",
    "id_rsa",
    "id_ed25519",
    "server.pem",
    "tls.key",
    "x.p12",
  ],
  ...[".netrc", ".npmrc", ".git-credentials", ".pgpass", "credentials.json", "secrets.yaml", "client_secret_1.json"],
  ...[
    ".ssh/work",
    ".aws/credentials",
    ".docker/config.json",
    ".kube/config",
    "home/.gnupg/private-keys-v1.d",
    "KEY.PEM",
  ],
  ...[".envrc", ".envrc.local", ".env~", "#.env#", ".#.env", ".env.bak", ".envrc~", "prod.env.old", "tls.key.bak"],
  ...[
    "id_rsa.bak",
    "id_rsa.old~",
    "id_ed25519 (copy)",
    ".npmrc.2024",
    "server.pem.~1~",
    ".secrets.yaml.swp",
    "x.p12 (1)",
  ],
];

const PLAIN = [
  ...[
    "notes.md",
    "environment.ts",
    "env",
    ".envrc.md",
    ".env.example",
    "config/.env.sample",
    "id_rsa.pub",
    "keyboard.ts",
  ],
  ...["secretary.txt", "monkey.json", ".ssh/known_hosts", ".ssh/config", "keys/readme.md", "tokens.css"],
  ...["notes.md~", "config.bak", "id_rsa.pub~", "keyboard.ts.old", "report (copy)"],
];

test.each(SECRETS)("COMP-15: %s looks like a secret", (name) => {
  expect(isLikelySecret(`workspace/${name}`)).toBe(true);
});

test.each(PLAIN)("COMP-15: %s doesn't", (name) => {
  expect(isLikelySecret(`workspace/${name}`)).toBe(false);
});
