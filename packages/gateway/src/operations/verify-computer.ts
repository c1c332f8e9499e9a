import { amountOf, unnamedContents, verifyContents, verifyStore } from "@choiros/log";
import type { Place, Work } from "./operation.ts";
import type { Head, Verification } from "./queries.ts";

/**
 * What others did to the folder is taken up before; then the log, as it lies on the disk: that works on one that is too damaged to open. Then, where the log is whole,
 * every content it names; then the state that is made from it, and the folder.
 */
export async function verifyComputer(
  place: Place,
  expect: Head | undefined,
  work: Pick<Work<never>, "progress" | "signal">,
): Promise<Verification> {
  const { signal } = work;
  await takeUp(place);
  const onProgress = (done: number, total: number) => work.progress({ what: "events", done, total });
  const { problems, ...log } = await verifyStore(place.store, { onProgress, signal, ...(expect && { expect }) });
  const nothing = { contents: null, folder: null, log: { ...log, problems }, ok: false, state: null, unopened: null };
  if (!log.ok) return nothing;
  const opened = await place.openStore();
  if (!opened.ok) return { ...nothing, unopened: opened.message };
  const checked = await verifyContents(opened.store.log, opened.store.contents, {
    onProgress: (done) => work.progress({ what: "contents", done }),
    signal,
  });
  const found = await unnamedContents(opened.store.log, opened.store.contents, signal);
  const contents = { ...checked, unnamed: found.ok ? amountOf(found.unnamed) : null };
  const made = await place.openComputer();
  if (!made.ok) return { ...nothing, contents, unopened: made.message };
  await made.computer.capture(); // what others did meanwhile is no damage either
  const { ok, state, folder } = await made.computer.verify({ onProgress: (done) => work.progress(done), signal });
  return { ...nothing, contents, state, folder, ok: contents.ok && ok };
}

/** As every command does; but not where a list of contents is gone: whoever opens it for writing would make a new one. */
async function takeUp(place: Place): Promise<void> {
  const opened = await place.openStore();
  if (!opened.ok) return;
  await opened.store.close();
  await place.takeUp({ looking: true });
}
