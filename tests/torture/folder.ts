import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Does the work in a folder of its own, which is gone afterwards; after a failure only if nobody wants to look at it. */
export async function inTemporaryFolder<T>(
  work: (folder: string) => Promise<T>,
  onFailure: (folder: string) => "keep" | "remove" = () => "remove",
): Promise<T> {
  // Without links: the faults are told apart by the paths the system gives out.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "choir-torture-")));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove); // also where the process is told to end meanwhile
  try {
    const result = await work(folder);
    remove();
    return result;
  } catch (error) {
    if (onFailure(folder) === "remove") remove();
    throw error;
  } finally {
    process.off("exit", remove);
  }
}
