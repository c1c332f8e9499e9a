import { type ReactNode, useEffect, useState } from "react";

interface PictureParts {
  readonly bytes: Blob;
  readonly name: string;
  /** What it is, in words. */
  readonly words: string;
  /** Shown in its place where it only begins like one. */
  readonly instead: ReactNode;
}

/** A picture, as large as its window has room for and no larger than it is. */
export function Picture({ bytes, name, words, instead }: PictureParts) {
  const [address, setAddress] = useState<string>();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    setBroken(false);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  if (broken) return instead;
  return (
    <figure className="ed-picture">
      {address !== undefined && <img src={address} alt={name} onError={() => setBroken(true)} />}
      <figcaption className="soft">{words}</figcaption>
    </figure>
  );
}
