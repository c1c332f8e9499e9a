import assert from "node:assert/strict";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { Connection } from "../egress/connection.ts";
import type { Check } from "../testing/check.ts";
import { tell, withSandbox } from "../testing/place.ts";

const SERVE = `require("net").createServer((c) => c.end("from inside")).listen(8080, "127.0.0.1", () => console.log("up"))`;

/** Networks, as commands have them. What they let through has its own tests. */
export const networkSuite: readonly Check[] = [
  {
    name: "SBX-16: a port inside can be dialled: of a command with a network of its own, and of the one that terminals share",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox, place) => {
        for (const network of ["own", "terminals"] as const) {
          const folder = { overlay: place.overlay() };
          const running = await sandbox.run({ argv: ["node", "-e", SERVE], folder, network });
          for await (const _ of running.stdout) break;
          const where = network === "own" ? running : network;
          assert.equal(await text(await sandbox.dial(8080, where)), "from inside");
          await assert.rejects(sandbox.dial(8081, where), { code: "refused" });
          await running.kill();
        }
        const running = await sandbox.run({ shell: "sleep 1013", folder: "live" });
        await assert.rejects(sandbox.dial(8080, running), { code: "refused" });
      }),
  },
  {
    name: "SBX-16: a command reaches the hosts on its list and no other, and each connection is told",
    run: (engine) =>
      withSandbox({ engine, allowLoopback: true }, async (sandbox) => {
        const server = createServer((_, response) => response.end("from outside")).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        const address = server.address();
        const port = typeof address === "object" ? address?.port : 0;
        const told: Connection[] = [];
        const get = (
          host: string,
        ) => `node -e 'const [, h, p] = process.env.HTTP_PROXY.match(/(\\d+\\.\\d+\\.\\d+\\.\\d+):(\\d+)/);
          require("http").get({ host: h, port: p, path: "http://${host}:${port}/", headers: { host: "${host}:${port}" } }, (r) => r.pipe(process.stdout))'`;
        const { stdout } = await tell(sandbox, {
          shell: `${get("localhost")}; echo; ${get("example.org")}`,
          egress: [`localhost:${port}`],
          onConnection: (connection) => told.push(connection),
        });
        server.close();
        assert.match(stdout, /^from outside\n.*example\.org/s);
        assert.deepEqual(
          told.map(({ host, allowed }) => [host, allowed]),
          [
            ["localhost", true],
            ["example.org", false],
          ],
        );
      }),
  },
];
