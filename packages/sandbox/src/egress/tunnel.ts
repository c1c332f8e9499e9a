import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { type Hello, MAX_HELLO, readHello } from "./client-hello.ts";
import { parseTarget } from "./target.ts";
import type { Visit } from "./visit.ts";

/** CONNECT: bytes both ways, after a TLS hello that names the host it was asked for. */
export async function tunnel(visit: Visit, request: IncomingMessage, client: Duplex): Promise<void> {
  const parsed = parseTarget(request.url ?? "");
  const upstream = await visit.reach(parsed);
  if (upstream === undefined || !parsed.ok) return;
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  const hello = await helloOf(client, visit.rules.limits.requestMs);
  if (hello === undefined) {
    visit.end();
    return;
  }
  const why = refusalOf(hello, parsed.target.host);
  if (why === undefined) relay(client, upstream);
  else visit.cut(why);
}

function refusalOf(hello: Hello, host: string): string | undefined {
  if (hello.state === "more") return "its TLS hello didn't come in time";
  if (hello.state === "refused") return hello.why;
  const named = parseTarget(hello.name, 443);
  if (named.ok && named.target.host === host) return undefined;
  return `its TLS hello names another server (${named.ok ? named.target.host : "and not by a name"})`;
}

/** What the client's hello says, or nothing where it went away instead. Its bytes are left in the stream. */
function helloOf(client: Duplex, ms: number): Promise<Hello | undefined> {
  const { promise, resolve } = Promise.withResolvers<Hello | undefined>();
  let bytes: Buffer = Buffer.alloc(0);
  const settle = (hello?: Hello) => {
    clearTimeout(timer);
    client.off("readable", read).off("end", end).off("close", end);
    if (hello !== undefined && bytes.length > 0) client.unshift(bytes);
    resolve(hello);
  };
  const read = () => {
    for (let chunk = client.read(); chunk !== null; chunk = client.read()) {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > MAX_HELLO) break;
    }
    const hello = readHello(bytes);
    if (hello.state !== "more") settle(hello);
  };
  const end = () => settle();
  const timer = setTimeout(() => settle({ state: "more" }), ms);
  client.on("readable", read).once("end", end).once("close", end);
  return promise;
}

function relay(client: Duplex, upstream: Socket): void {
  // The visit hears of the end from the socket itself, and each side may end before the other does.
  pipeline(client, upstream, () => {});
  pipeline(upstream, client, () => {});
}
