/** Where a link of a document leads. */
export type LinkTarget =
  | { readonly is: "page"; readonly address: string }
  | { readonly is: "file"; readonly key: string }
  | { readonly is: "heading"; readonly slug: string }
  | { readonly is: "nowhere" };

/** Everything but pages, letters and files of this computer leads nowhere, most of all scripts. */
export function linkTarget(href: string, folder: string): LinkTarget {
  if (href.startsWith("#")) return { is: "heading", slug: decoded(href.slice(1)).toLowerCase() };
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return URL.canParse(href) ? { is: "page", address: href } : NOWHERE;
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//")) return NOWHERE;
  const key = keyFrom(folder, decoded(href.replace(/[?#].*$/s, "")));
  return key === undefined ? NOWHERE : { is: "file", key };
}

/** How a heading is called in `#links`. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

const NOWHERE: LinkTarget = { is: "nowhere" };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that means itself
  }
}

/** From the folder on, or with a slash from its area on; never out of that. */
function keyFrom(folder: string, path: string): string | undefined {
  if (path === "" || path.includes("\0")) return undefined;
  const [area = "", ...above] = folder.split("/");
  const parts = path.startsWith("/") ? [] : above;
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length === 0 ? undefined : [area, ...parts].join("/");
}
