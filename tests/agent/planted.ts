import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { openStore } from "@choiros/log";
import { onTestFinished } from "vitest";
import type { Received } from "../model/received.ts";
import type { Failure, Turn } from "../model/script.ts";

/** A key that nobody guesses, and that looks another way in an address, in JSON and in base64. */
export function newKey(name: string): string {
  return `sk-${name}-${randomBytes(18).toString("base64")}/+"=${randomBytes(9).toString("base64url")}`;
}

/** Ways in which it may stand somewhere. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  // As part of something longer, base64 begins at one of three places; what its neighbours have a part in is left out.
  const in64 = [0, 1, 2].map((before) => {
    const text = Buffer.from(`${"x".repeat(before)}${secret}`).toString("base64");
    return text.slice(before === 0 ? 0 : before + 1, -4);
  });
  const url64 = in64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const escaped = JSON.stringify(json).slice(1, -1);
  const hex = Buffer.from(secret).toString("hex");
  return [...new Set([secret, encodeURIComponent(secret), json, escaped, ...in64, ...url64, hex])];
}

/** What was seen, by where. */
export class Haystack {
  readonly #places = new Map<string, string[]>();

  add(place: string, ...texts: string[]): void {
    this.#places.set(place, [...(this.#places.get(place) ?? []), ...texts]);
  }

  /** Where a word stands, in any of its forms. */
  placesOf(word: string): string[] {
    const forms = formsOf(word);
    const isIn = (text: string) => forms.some((form) => text.includes(form));
    return [...this.#places].filter(([, texts]) => texts.some(isIn)).map(([place]) => place);
  }

  /** Each secret that stands somewhere, with the place; of a secret its middle is enough. */
  found(secrets: Readonly<Record<string, string>>): string[] {
    return Object.entries(secrets)
      .flatMap(([name, secret]) => this.placesOf(secret.slice(4, -4)).map((place) => `${name} in ${place}`))
      .sort();
  }

  /** Every file below a folder, byte for byte. */
  addFiles(folder: string): void {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      this.add(path.slice(folder.length + 1).replace(/-(wal|shm)$/, ""), readFileSync(path, "latin1"));
    }
  }

  /** Every event of a computer, and every content: on the disk they may be compressed. */
  async addStore(dir: string): Promise<void> {
    const opened = await openStore({ dir, userId: "ada", mode: "read" });
    if (!opened.ok) throw new Error(opened.message);
    const { log, contents, close } = { ...opened.store, close: () => opened.store.close() };
    for await (const event of log.read()) this.add("events", JSON.stringify(event));
    for (let page = await contents.list(""); page.length > 0; page = await contents.list(page.at(-1)?.hash ?? "")) {
      for (const { hash } of page) {
        const bytes = await Array.fromAsync((await contents.get(hash)) ?? []);
        this.add("contents", Buffer.concat(bytes).toString("latin1"));
      }
    }
    await close();
  }
}

/** What opens a provider, as it came to it. */
export function keysIn({ headers }: Pick<Received, "headers">): string[] {
  const { authorization = "", "x-api-key": key = "", "x-amz-security-token": session = "" } = headers;
  const by = /Credential=([^/]+)/.exec(authorization)?.[1] ?? authorization.replace("Bearer ", "");
  return [key, session, by].flat().filter((one) => one !== "");
}

/** Failures of a provider that says back what it was sent, in every form; `marker` is said with it. */
export function echoes(marker: string): Turn[] {
  const said = (keys: string[]) =>
    keys.flatMap((key) => [key, encodeURIComponent(key), JSON.stringify(key), Buffer.from(key).toString("base64")]);
  const failing = (status: number, more: Partial<Failure> = {}): Turn => {
    return (request) => ({
      status,
      headers: { "x-echo": encodeURIComponent(keysIn(request).join()), "retry-after": "3600" },
      message: `${marker} ${said(keysIn(request)).join(" ")}`,
      ...more,
    });
  };
  const whole: Turn = (request) => ({ status: 400, message: `${marker} ${JSON.stringify(request.headers)}` });
  const redirect: Turn = (request) => ({
    status: 307,
    headers: { location: `http://127.0.0.1:9/${encodeURIComponent(keysIn(request).join())}` },
  });
  const streamed = (frame: (text: string) => string): Turn => {
    return (request) => ({
      status: 200,
      headers: { "content-type": "text/event-stream" },
      body: `data: ${frame(said(keysIn(request)).join(" "))}\n\n`,
    });
  };
  return [
    ...[400, 401, 404, 413, 429, 500].map((status) => failing(status)),
    ...[whole, redirect],
    streamed((text) => `{oops ${text}`),
    streamed((text) => JSON.stringify({ type: "error", error: { type: "invalid", message: `${marker} ${text}` } })),
    streamed((text) => JSON.stringify({ [text]: marker })),
  ];
}

/** A provider that lists what it was sent as its models, after `marker`. */
export async function parrot(seen: Haystack, marker: string): Promise<string> {
  const server = createServer((asked, response) => {
    seen.add("addresses of requests", asked.url ?? "");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [marker, ...keysIn(asked)].map((id) => ({ id })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
}
