import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import type { Home } from "../home.ts";
import { askHttp, consoleAt, signIn } from "../testing/ask-http.ts";
import { firstLine, startOn, textOf } from "../testing/choir-process.ts";
import { tempHome } from "../testing/temp-home.ts";

const PASSWORD = "correct horse battery staple";
const NAME = "a-telling-name";
const CONTENTS = "what-is-in-the-file-is-nobody-elses";

/** A real server, to which somebody comes, sets a password, writes a file and makes mistakes; then it is stopped. */
async function visited(home: Home, log: string): Promise<{ aside: string; secrets: string[] }> {
  const server = startOn(home, { CHOIR_SERVER_LOG: log, CHOIR_SERVER_PORT: "0" });
  const aside = textOf(server.stderr);
  const [link = ""] = /http:\S+/.exec(await firstLine(server)) ?? [];
  const { origin: address, hash } = new URL(link);
  const token = hash.replace("#link=", "");
  const cookie = (await signIn(address, link)) ?? "";
  const me = JSON.parse((await askHttp(address, "/api/me", { headers: { ...consoleAt(address), cookie } })).body);
  const headers = { ...consoleAt(address), cookie, "x-choir-token": me.token };
  await askHttp(address, "/api/auth/password", { headers, body: { password: PASSWORD } });
  await askHttp(address, "/api/auth/sign-in/username", {
    headers,
    body: { username: "ada", password: `${PASSWORD}!` },
  });
  const put = { method: "PUT", headers, body: CONTENTS };
  const { port } = new URL(address);
  await askHttp(address, `/api/computers/ada/file/workspace/${NAME}`, put);
  const secrets = [PASSWORD, NAME, CONTENTS, token, me.token, cookie.replace(/^[^=]*=/, "")];
  for (const word of secrets.map(encodeURIComponent)) {
    await askHttp(address, `/${word}?token=${word}`, { headers: { host: `choir.localhost:${port}` } });
    await askHttp(address, `/api/computers/ada/file/workspace/${word}`, { headers });
    await askHttp(address, `/api/computers/${word}/files?${word}=${word}`, { headers });
    await askHttp(address, `/%zz${word}`, { headers: { host: word } });
    await askHttp(address, "/api/link", { headers, body: { token: word, [word]: word } });
  }
  server.kill("SIGINT");
  expect(await once(server, "exit")).toEqual([0, null]);
  return { aside: await aside, secrets: [...secrets, ...secrets.map(encodeURIComponent)] };
}

test("S6: what a real server writes has no token, cookie, password, name or contents in it, but the link it prints", async () => {
  const home = tempHome();
  const { aside, secrets } = await visited(home, "file");
  const log = readFileSync(home.logFile, "utf8");
  for (const text of [log, aside]) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  const lines = log
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(20);
  const route = "/api/computers/:computer/file/*";
  const said = { account: "ada", method: "PUT", ms: expect.any(Number), reqId: expect.any(String), route, status: 200 };
  expect(lines).toContainEqual(expect.objectContaining(said));
  expect(statSync(home.logFile).mode & 0o777).toBe(0o600);
  expect(aside).not.toContain("reqId");
});

test("DOOR-31: the log goes to standard error where the configuration says so, or nowhere", async () => {
  const home = tempHome();
  const { aside, secrets } = await visited(home, "stderr");
  expect(aside).toContain('"route":"/api/computers/:computer/file/*"');
  expect(secrets.filter((secret) => aside.includes(secret))).toEqual([]);
  const { aside: quiet } = await visited(tempHome(), "off");
  expect(quiet).not.toContain("reqId");
  expect(existsSync(home.logFile)).toBe(false);
}, 120_000); // two servers, with a command in each
