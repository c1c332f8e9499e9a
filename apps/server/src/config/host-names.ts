import { isIP } from "node:net";

const HOST = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
const COMPUTER = "{computer}";
/** As long as a computer's id can be. */
const LONGEST = "a".repeat(40);

export function isHost(name: string): boolean {
  return name.length <= 253 && HOST.test(name);
}

/** With the computer in its first label: what is before a further dot would be a site of its own. */
export function isDeskHost(name: string): boolean {
  const [label = ""] = name.split(".");
  return label.split(COMPUTER).length === 2 && isHost(name.replace(COMPUTER, LONGEST));
}

/** `https://choir.example.com`, and nothing behind it. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** An address, or a range of them as in `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
