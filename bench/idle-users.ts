import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLiveGateway } from "@choiros/gateway/testing";
import { WebSocket } from "ws";

/** A server of its own, with users who do nothing: prints how many bytes each costs. To be run with `--expose-gc`. */
const users = Number(process.argv[2]);
const home = mkdtempSync(join(tmpdir(), "choir-idle-"));
const gateway = await openLiveGateway(home);
await watch("ada");
for (let i = 0; i < users; i++) await gateway.accounts.add(`user ${i}`, "member");
const first = await resident();
for (let i = 0; i < users; i++) await gateway.accounts.add(`absent ${i}`, "member");
const absent = await resident();
for (let i = 0; i < users; i++) await gateway.signIn(`user-${i}`);
const away = await resident();
for (let i = 0; i < users; i++) await watch(`user-${i}`);
const watching = await resident();
const each = (to: number, from: number) => (to - from) / users;
const figures = { absent: each(absent, first), away: each(away, absent), watching: each(watching, absent) };
process.stdout.write(JSON.stringify(figures));
await gateway.close();
rmSync(home, { recursive: true });
process.exit();

/** Somebody with the console open: signed in, with a socket, and so with the computer open. */
async function watch(id: string): Promise<void> {
  const { cookie, token } = await gateway.signIn(id);
  const { console } = gateway.sites;
  const headers = { cookie, host: new URL(console).host };
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}/api/ws`, { headers, origin: console });
  await once(socket, "open");
  socket.send(JSON.stringify({ computer: id, from: 1, hello: 1, token }));
  await once(socket, "message");
}

async function resident(): Promise<number> {
  for (let i = 0; i < 5; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage.rss();
}
