// A server of its own that has a network, tries what a network is for, and then waits to be killed.
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "../../egress/testing/proxy-stage.ts";
import { Network } from "../network.ts";
import { inside, residing } from "./inside.ts";

const server = createServer((_, response) => void response.end("reached"));
await once(server.listen(0, "127.0.0.1"), "listening");
const port = portOf(server);
const told: string[] = [];
const network = await Network.open({
  egress: [`a.test:${port}`],
  onConnection: ({ host, allowed }) => told.push(`${host} ${allowed}`),
  allowLoopback: true,
  resolve: async () => ["127.0.0.1"],
});
const allowed = await inside(network, `curl -sS http://a.test:${port}/`);
const refused = await inside(network, `curl -sS http://b.test:${port}/`);
const direct = await inside(network, `curl -sS --noproxy '*' http://127.0.0.1:${port}/`);
await residing(network, "require('net').createServer((s) => s.end('dialled')).listen(7000, () => console.log('up'))");
const dialled = await text(await network.dial(7000));
const report = {
  uid: process.getuid?.(),
  allowed: allowed.out,
  refused: refused.out,
  direct: direct.exit,
  dialled,
  told,
};
console.log(JSON.stringify(report));
setInterval(() => {}, 60_000);
