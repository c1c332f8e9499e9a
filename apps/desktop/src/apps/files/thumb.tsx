import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { mediaTypeOf } from "../media-type.ts";
import { iconOf } from "./kinds.ts";

/** Larger ones would take longer to come than somebody looks at them. */
const MOST_BYTES = 4_000_000;
/** What is only scrolled past isn't loaded. */
const PAUSE_MS = 120;

/** The picture that a file is, small; of all else its sign. */
export function Thumb({ desk, line }: { desk: DeskApi; line: FileLine }) {
  const [address, setAddress] = useState<string>();
  const { key, entry } = line;
  const hash = entry.kind === "file" && entry.size <= MOST_BYTES ? entry.hash : undefined;
  const isPicture = hash !== undefined && mediaTypeOf(key).startsWith("image/");
  useEffect(() => {
    if (!isPicture) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const made = await desk.files.link(key).catch(() => undefined); // then its sign has to do
      if (!isOver && made !== undefined) setAddress(`${made}#${hash}`);
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [desk, key, hash, isPicture]);
  const Icon = iconOf(line);
  if (address === undefined) return <Icon aria-hidden="true" size={34} strokeWidth={1.25} />;
  return <img className="files-thumb" src={address} alt="" draggable={false} onError={() => setAddress(undefined)} />;
}
