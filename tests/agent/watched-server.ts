import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Haystack } from "./planted.ts";

const MAIN = join(import.meta.dirname, "..", "..", ".build", "choir", "main.mjs");

/** As `npm start` runs it, with an environment that is the test's alone. All that it prints is seen. */
export async function started(home: string, env: NodeJS.ProcessEnv, seen: Haystack) {
  const words = ["start", "--json", "--home", home, "--user", "ada"];
  const server = spawn(process.execPath, [MAIN, ...words], {
    env: { PATH: process.env.PATH, CHOIR_SERVER_PORT: "0", ...env },
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  const first = Promise.withResolvers<string>();
  for (const name of ["stdout", "stderr"] as const)
    server[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      if (said.stdout.includes("\n")) first.resolve(said.stdout);
    });
  server.once("exit", () => first.reject(new Error(`it ended: ${said.stderr}`)));
  const { link }: { link: string } = JSON.parse(await first.promise); // only what is needed of it
  return {
    link,
    /** What everything that it started was given, as it can be seen from outside. */
    look: () => seen.add("processes", ...startedBy(server.pid ?? 0).flatMap(givenTo)),
    stop: async () => {
      server.kill("SIGTERM");
      await once(server, "close");
      for (const [name, text] of Object.entries(said)) seen.add(name, text);
    },
  };
}

function startedBy(pid: number): string[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [name, / \S (\d+) [^)]*$/.exec(readIfThere(`/proc/${name}/stat`))?.[1] ?? ""] as const);
  const found = new Set([String(pid)]);
  for (const parent of found) for (const [name, of] of parents) if (of === parent) found.add(name);
  return [...found].slice(1);
}

function givenTo(pid: string): string[] {
  return [readIfThere(`/proc/${pid}/environ`), readIfThere(`/proc/${pid}/cmdline`)];
}

/** A process may have ended meanwhile. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

interface Answered {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The console of whoever owns the server, with a password. All that it is answered and told is seen. */
export async function consoleOf(link: string, seen: Haystack) {
  const { port, hash } = new URL(link);
  const host = `choir.localhost:${port}`;
  const origin = `http://${host}`;
  let own: Record<string, string> = {};
  const ask = async (path: string, body?: object): Promise<Answered> => {
    const headers = { host, origin, "content-type": "application/json", ...own };
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port, path, method, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, "response");
    const text = Buffer.concat(await Array.fromAsync<Buffer>(response)).toString("latin1");
    seen.add(`the answer to ${path}`, JSON.stringify(response.headers), text);
    return { headers: response.headers, body: text };
  };
  const token = hash.replace("#link=", "");
  const cookie = (await ask("/api/auth/link", { token })).headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  own = { cookie };
  const { token: second } = JSON.parse((await ask("/api/me")).body);
  own = { cookie, "x-choir-token": second };
  const password = randomBytes(18).toString("base64");
  await ask("/api/auth/password", { password });
  const desk = JSON.parse((await ask("/api/computers/ada/desk-token", {})).body).token;
  const [session = "", signature = ""] = decodeURIComponent(cookie.replace(/^[^=]*=/, "")).split(".");

  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`, { headers: { cookie, host }, origin });
  onTestFinished(() => socket.terminate());
  socket.on("message", (data) => seen.add("the live socket", String(data)));
  await once(socket, "open");
  socket.send(JSON.stringify({ computer: "ada", from: 1, hello: 1, token: second }));
  return {
    ask,
    leave: async () => {
      socket.close();
      await once(socket, "close");
    },
    secrets: { "console's token": second, "desk's token": desk, link: token, password, session, signature },
  };
}
