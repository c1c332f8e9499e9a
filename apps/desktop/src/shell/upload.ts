import { freeName, newId } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice } from "../desk/notices.ts";
import { sentence, Unanswered } from "../desk/problem.ts";
import { sendFile } from "../desk/send-file.ts";
import { count } from "../words.ts";
import { type Dropped, filesIn } from "./dropped.ts";

export function isFromHost({ dataTransfer }: { readonly dataTransfer: DataTransfer }): boolean {
  return dataTransfer.types.includes("Files");
}

/** Puts what was dropped into a folder; what came of it is told. The keys of what is there now. */
export async function uploadDropped(api: DeskApi, transfer: DataTransfer, folder = "workspace"): Promise<string[]> {
  try {
    return await upload(api, await filesIn(transfer), folder);
  } catch (error) {
    api.notify({ text: sentence(error), kind: "wrong" });
    return [];
  }
}

/** Each under a name that is free, one after the other, with how far it is and a way to stop; all of it is undone as one. */
async function upload(api: DeskApi, files: readonly Dropped[], folder: string): Promise<string[]> {
  if (files.length === 0) return [];
  const call = newId();
  const ended = new AbortController();
  const keys: string[] = [];
  const said = (i: number, part = 0) => ({
    text: `Uploading ${files.length === 1 ? files[0]?.path : `${i + 1} of ${count(files.length, "file")}`}`,
    progress: (i + part) / files.length,
    action: { label: "Stop", run: stop },
  });
  const tell = (what: NewNotice) => notice.replace(ended.signal.aborted ? STOPPING : what);
  const stop = () => {
    ended.abort();
    tell(STOPPING);
  };
  const notice = api.notify(said(0));
  let now = "";
  try {
    const nameOf = freeNames(folder, new Set((await api.files.list(folder)).map(({ key }) => key)));
    for (const [i, { file, path }] of files.entries()) {
      ended.signal.throwIfAborted();
      notice.replace(said(i));
      const key = nameOf(path);
      now = key.slice(folder.length + 1);
      const onSent = (bytes: number) => tell(said(i, Math.min(1, bytes / Math.max(1, file.size))));
      await sendFile(api, { key, file, call }, ended.signal, onSent);
      keys.push(key);
    }
  } catch (error) {
    const text = error instanceof Unanswered ? `It isn't known whether ${now} came in.` : sentence(error);
    if (error !== ended.signal.reason) api.notify({ text, kind: "wrong" });
  }
  notice.remove();
  const [first] = keys;
  if (first === undefined) return keys;
  const what = keys.length === 1 ? `${first.slice(folder.length + 1)} is` : `${count(keys.length, "file")} are`;
  const select = first
    .split("/")
    .slice(0, folder.split("/").length + 1)
    .join("/"); // what is at its top
  const show = { label: "Show", run: () => void api.open("files", { key: folder, select }) };
  api.notifyDone(`${what} in ${folder}`, { ok: true, call, changed: keys.length, notes: [], seq: api.head() }, show);
  return keys;
}

const STOPPING: NewNotice = { text: "Stopping once the server has answered", progress: "unknown" };

/** The key for a path: what is at its top, a file or a folder, gets a name that is free, and keeps that. */
function freeNames(folder: string, taken: ReadonlySet<string>): (path: string) => string {
  const tops = new Map<string, string>();
  return (path) => {
    const [top = path, ...rest] = path.split("/");
    const name = tops.get(top) ?? freeName(`${folder}/${top}`, taken);
    tops.set(top, name);
    return [name, ...rest].join("/");
  };
}
