import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGolden } from "./golden-computer.ts";
import { computerTree } from "./trees.ts";

/**
 * Run by hand when a version is released, with the vector's name: `node make-vector.ts vectors/computer-v1`. Makes an export
 * and, beside it, what has to come of it. What an earlier version made is never made again.
 */
const [, , name = "computer"] = process.argv;
const root = mkdtempSync(join(tmpdir(), "choir-golden-"));
const computer = await openGolden(root);
try {
  await computer.exportTo(`${name}.choir`);
  const types = new Set<string>();
  for await (const { type } of computer.log.read()) types.add(type);
  const expected = {
    ...(await computer.log.head()),
    stateHash: await computer.stateHash(),
    types: [...types].sort(),
    tree: await computerTree(computer),
  };
  writeFileSync(`${name}.json`, `${JSON.stringify(expected, null, 2)}\n`, { flag: "wx" });
} finally {
  await computer.close();
  rmSync(root, { recursive: true, force: true });
}
