import type { Target } from "../payloads.ts";

/** What the bar can do without anybody's help. */
export type Command =
  | { readonly do: "new-doc"; readonly name?: string }
  | { readonly do: "new-folder"; readonly name: string }
  | { readonly do: "open"; readonly what: string }
  | { readonly do: "find"; readonly text: string }
  /** `that`: what is in front of whoever asks, or else the last. */
  | { readonly do: "undo"; readonly target: Target | "last" | "that" }
  | { readonly do: "go-back"; readonly to: When }
  | { readonly do: "theme"; readonly scheme: "dark" | "light" | "system" }
  /** Without a file, there is none any more. */
  | { readonly do: "wallpaper"; readonly file?: string }
  /** A line for a shell. */
  | { readonly do: "run"; readonly line: string }
  | { readonly do: "files"; readonly folder?: string }
  | { readonly do: "help"; readonly word?: string }
  | { readonly do: Bare };

/** Those that say all by their words. */
export type Bare = "close" | "export" | "redo" | "settings" | "show-desktop" | "sign-out" | "timeline";

/** What somebody wants, in their words: for the Director. */
export interface Ask {
  readonly do: "ask";
  readonly text: string;
}

/** A command that lacks what it is about, or is about what can't be. */
export interface Incomplete {
  readonly do: "incomplete";
  /** The command's words, and what goes on from there: `open` needs `the name of a file, a folder or an app`. */
  readonly words: string;
  readonly needs: string;
}

export interface Nothing {
  readonly do: "nothing";
}

/** A moment: after an event, or what was so at a time. */
export type When = { readonly event: number } | { readonly time: string };
