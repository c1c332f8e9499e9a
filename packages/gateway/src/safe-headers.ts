import type { Site, Sites } from "./sites.ts";

const ALWAYS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** What tells a browser how far a page may go. Neither site has inline script; only the console may frame, and only desks. */
export function headersOf(site: Site | undefined, sites: Sites): Record<string, string> {
  if (site?.is === "console")
    return {
      ...ALWAYS,
      "content-security-policy": policy({ "frame-src": sites.anyDesk(site), "frame-ancestors": NONE }),
    };
  if (site?.is === "desk")
    return { ...ALWAYS, "content-security-policy": policy({ "frame-ancestors": sites.frameOf(site) }) };
  return { ...ALWAYS, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };
}

/** What tells a browser that this origin's page may ask, signed in, and hear the answer. */
export function guestHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-credentials": "true",
    "access-control-allow-headers": "content-type, if-match, if-none-match, if-range, range, x-choir-token, x-mode",
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "content-range, etag, retry-after, x-head, x-kind, x-missing, x-mode, x-request-id",
    "access-control-max-age": "600",
    vary: "origin",
  };
}

const NONE = "'none'";
const SELF = "'self'";

function policy(more: Readonly<Record<string, string>>): string {
  const rules = {
    "default-src": NONE,
    "script-src": SELF,
    "style-src": SELF,
    "font-src": SELF,
    "img-src": `${SELF} blob: data:`,
    "media-src": `${SELF} blob:`,
    "connect-src": SELF,
    "base-uri": NONE,
    "form-action": NONE,
    ...more,
  };
  return Object.entries(rules)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}
