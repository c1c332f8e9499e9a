import { z } from "zod";

/** Where a provider is. Nothing of a key may be in it, for it is shown. */
export const BaseUrl = z
  .string()
  .max(500)
  .refine((text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return false;
    return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  }, "must be an address that begins with http:// or https://, with no name, password or question in it")
  .transform((text) => text.replace(/\/+$/, ""));

/** A key goes over the network only where nobody on the way can read it. */
export function isFitForKeys(baseUrl: string): boolean {
  return URL.parse(baseUrl)?.protocol === "https:" || isLoopback(baseUrl);
}

export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(URL.parse(baseUrl)?.hostname ?? "");
}
