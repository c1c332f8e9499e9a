import assert from "node:assert/strict";
import type { Check } from "../testing/check.ts";
import { tell, withSandbox } from "../testing/place.ts";

/** What terminals and commands have to do with each other. */
export const terminalsSuite: readonly Check[] = [
  {
    name: "SBX-21: no command and no other terminal gets hold of a terminal, of its own computer or of another's",
    run: (engine) =>
      withSandbox({ engine }, (mine) =>
        withSandbox({ engine }, async (others) => {
          const terminals = [];
          // Enough for descriptors of two digits, whatever else is open.
          for (let i = 0; i < 8; i++) {
            terminals.push(await mine.pty({ shell: "sleep 1014", folder: "live", cols: 80, rows: 24 }));
          }
          for (const sandbox of [mine, others]) {
            const { stdout } = await tell(sandbox, "ls /proc/self/fd");
            assert.equal(stdout, "0\n1\n2\n3\n");
          }
          const shell = "ls /proc/self/fd > fds; cat fds";
          const terminal = await others.pty({ shell, folder: "live", cols: 80, rows: 24 });
          for await (const chunk of terminal.output) assert.doesNotMatch(Buffer.from(chunk).toString(), /[4-9]|\d\d/);
          await Promise.all(terminals.map((one) => one.kill()));
        }),
      ),
  },
];
