import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";

const MAX_BYTES = 10 * 1024 * 1024;

/** A picture that is a file of this computer; it follows the file. Where there is none, its words. */
export function DeskImage({ desk, at, words }: { desk: Pick<DeskApi, "files">; at: string; words: string }) {
  const [address, setAddress] = useState<string>();

  useEffect(() => {
    let made: string | undefined;
    let asked = new AbortController();
    const show = (next: string | undefined) => {
      if (made !== undefined) URL.revokeObjectURL(made);
      made = next;
      setAddress(next);
    };
    const read = () => {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      pictureAt(desk, at, signal).then(
        (blob) => !signal.aborted && show(blob === undefined ? undefined : URL.createObjectURL(blob)),
        () => !signal.aborted && show(undefined), // its words say what it is
      );
    };
    read();
    const stop = desk.files.watch(at, read);
    return () => {
      stop();
      asked.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [desk, at]);

  if (address === undefined) return <span className="md-no-image">{words || at.slice(at.lastIndexOf("/") + 1)}</span>;
  return <img src={address} alt={words} />;
}

async function pictureAt(desk: Pick<DeskApi, "files">, key: string, signal: AbortSignal): Promise<Blob | undefined> {
  const response = await desk.files.read(key, { signal });
  const type = response?.headers.get("content-type") ?? "";
  if (response === undefined) return undefined;
  if (type.startsWith("image/") && Number(response.headers.get("content-length") ?? 0) <= MAX_BYTES)
    return response.blob();
  await response.body?.cancel();
  return undefined;
}
