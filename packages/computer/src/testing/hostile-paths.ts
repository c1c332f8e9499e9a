import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What stands outside every computer, and must neither be read nor written, whatever path is given. */
export const CANARY = "canary: if you can read this, a path led outside";

/** A folder outside with the canary in it, under names that hostile paths ask for. */
export function plantOutside(outside: string): void {
  for (const dir of ["", "etc", "workspace", ".ssh", "deep/er"]) {
    mkdirSync(join(outside, dir), { recursive: true });
    for (const name of ["passwd", "canary", "x", "notes.md"]) writeFileSync(join(outside, dir, name), CANARY);
  }
}

/** Links that lead outside, at each level of the workspace, and the paths that go through them. */
export function plantTraps(root: string, outside: string): string[] {
  const workspace = join(root, "workspace");
  const keys: string[] = [];
  for (let depth = 0, dir = "t"; depth < 12; depth++, dir += `/d${depth}`) {
    mkdirSync(join(workspace, dir), { recursive: true });
    const up = "../".repeat(dir.split("/").length + 3);
    const traps = { abs: outside, rel: `${up}${outside}`, file: join(outside, "canary"), up, root: "/", self: "self" };
    for (const [name, target] of Object.entries(traps)) {
      symlinkSync(target, join(workspace, dir, name));
      const through = name === "file" ? [""] : ["/canary", "/x", "/etc/passwd", "/deep/er/canary", "/new", ""];
      if (name !== "file") keys.push(...through.slice(0, -1).map((end) => `workspace/${dir}/${name}${end}`));
      else keys.push(`workspace/${dir}/file/canary`);
    }
  }
  symlinkSync("../.choir", join(workspace, "inner"));
  keys.push("workspace/inner/seen.sqlite", "workspace/inner/log.sqlite", "workspace/inner/contents/x");
  return keys;
}

/** Another name of the canary itself, inside. It can be read, for it is a file in the workspace; writing must not reach through it. */
export function plantHardLink(root: string, outside: string): string {
  linkSync(join(outside, "canary"), join(root, "workspace", "hard"));
  return "workspace/hard";
}

/** Paths that nobody honest asks for. `outside` is spelled out in some of them. */
export function hostilePaths(outside: string): string[] {
  const goals = ["etc/passwd", "canary", ".ssh/x", ".choir/log.sqlite", ".git/config"];
  const climbs = UPS.flatMap((up) =>
    ["", "workspace/", "workspace/a/", "artifacts/"].flatMap((base) =>
      [1, 3, 9].map((times) => `${base}${up.repeat(times)}${goals[times % goals.length] ?? "x"}`),
    ),
  );
  const absolute = ABSOLUTE.flatMap((start) => goals.map((goal) => `${start}${goal}`));
  const named = [`${outside}/canary`, `/${outside}/canary`, `file://${outside}/canary`, `workspace/${outside}/canary`];
  const beside = BESIDE.flatMap((name) => [name, `${name}/config`, `./${name}/x`, `workspace/../${name}/x`]);
  const looks = BESIDE.slice(0, 2).flatMap((name) => [name.toUpperCase(), `${name}.`, `${name} `, `${name}\u200c`]);
  const odd = ODD.flatMap((part) => [part, `workspace/${part}`, `workspace/${part}/x`, `workspace/a/${part}/../../x`]);
  return [...new Set([...climbs, ...absolute, ...named, ...beside, ...looks, ...odd])];
}

/** Ways to write "one up", for whoever decodes once too often or too little. */
const UPS = [
  ...["../", "..//", "./../", ".././", "..\\", "..%2f", "%2e%2e/", "%2e%2e%2f", "%252e%252e%252f", "..%5c", "..%c0%af"],
  ...["%c0%ae%c0%ae/", "..%00/", "..;/", "....//", "...//", ".../", "..\u2215", "..\u2044", "\uff0e\uff0e/", "\u2025/"],
  ...[
    "\u2024\u2024/",
    "..\uff0f",
    "..\u29f8",
    ".\u0338./",
    "..\u0301/",
    "\u202e../",
    "..\u200b/",
    "\ufeff../",
    "..\u0000/",
  ],
  ...[
    "//2e//2e/",
    "//2e//2e//2f",
    "..//2f",
    "&#46;&#46;/",
    "\\u002e\\u002e/",
    "0x2e0x2e/",
    "~/",
    "$HOME/",
    "`pwd`/../",
  ],
];
const ABSOLUTE = [
  ...[
    "/",
    "//",
    "///",
    "\\",
    "\\\\?\\C:\\",
    "C:/",
    "c:\\",
    "C:",
    "file:///",
    "\\\\server\\share\\",
    "/proc/self/root/",
  ],
  ...[
    "/proc/self/cwd/../../",
    "/dev/fd/0/../",
    "/proc/self/fd/3/",
    "/dev/shm/../../",
    "~root/",
    "%2f",
    "\u2215",
    "\uff0f",
  ],
];
const BESIDE = [
  ".git",
  ".choir",
  ".Git",
  ".GIT",
  ".CHOIR",
  ".gi\u200ct",
  ".git ",
  ".git.",
  "git~1",
  ".git::$INDEX_ALLOCATION",
];
const ODD = [
  ...[
    ".",
    "..",
    "...",
    "",
    " ",
    "\0",
    "a\0b",
    "\n",
    "\r\n",
    "\u0001",
    "\u007f",
    "\u0085",
    "\u2028",
    "con",
    "nul.txt",
    "aux",
  ],
  ...[
    "\ud800",
    "a\udc00b",
    "//zz",
    "//FF",
    "//2e",
    "//2e//2e",
    "//00",
    "///",
    "//c3//a9",
    "/",
    "a//b",
    "-rf",
    "--",
    "*",
    "?",
  ],
  ...[
    "e\u0301\u0301",
    "\u00e9",
    "\u202egnp.exe",
    "\u2066x\u2069",
    "\u200f",
    "\ufeff",
    "\ufffd",
    "x".repeat(300),
    "x".repeat(5000),
  ],
  ...[
    "y/".repeat(3000),
    "\u00e9".repeat(2100),
    "../".repeat(2000),
    ".choir-landing-0123456789abcdef",
    "a:b",
    "a|b",
    "%",
    "%%",
  ],
];
