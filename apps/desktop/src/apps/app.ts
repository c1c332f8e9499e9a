import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { DeskApi } from "../desk/api.ts";
import type { Args } from "../windows/deeds.ts";

/** What an app's folder exports from its `manifest.ts`, as `manifest`. Nothing else knows the app by name. */
export interface Manifest {
  /** The name of its folder. */
  readonly id: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /**
   * Which files it opens: endings of names (`*.md`), media types (`text/*`), `folder`, or `*`. Of several apps the one
   * whose word is the most exact opens it. It gets the file's key as `args.key`.
   */
  readonly opens: readonly string[];
  /** Of its first window, before anybody changes it. */
  readonly size?: { readonly w: number; readonly h: number };
  /** The name among its args of what a window shows: there is one window for each. A file's `key`, unless told. */
  readonly of?: string;
  /** There is one window of it: opened again, that one comes to the front, with the new args. */
  readonly single?: true;
  /** Not on the desktop, and not among the apps: others open it. */
  readonly hidden?: true;
  /** Opened by itself on a computer where nothing has happened yet. */
  readonly begins?: true;
  /** In the menu of the desktop. */
  readonly inMenu?: true;
  /** With Ctrl or Cmd, this key opens it. */
  readonly chord?: string;
  /** Keys of its own, and what each does, for the sheet of keys: `Ctrl` is the one that commands go with here. */
  readonly keys?: readonly (readonly [keys: string, does: string])[];
  load(): Promise<{ readonly default: ComponentType<AppProps> }>;
}

export interface AppProps {
  readonly window: WindowHandle;
  readonly desk: DeskApi;
}

/** An app's own window. Stays the same object as long as `args` and `inFront` do. */
export interface WindowHandle {
  readonly id: string;
  /** What it shows; also after a reload, and in every other browser. Whoever changes them is heard here. */
  readonly args: Args;
  /** Whether keys are for it. */
  readonly inFront: boolean;
  setTitle(title: string): void;
  setArgs(args: Args): void;
  close(): void;
  /** What was typed into it before the app was there to take it; it is the app's then. */
  takeEarly(): string;
  /** Asked before it closes, for as long as it takes; `false` keeps it open. Returns how to take that back. */
  onClose(guard: () => boolean | Promise<boolean>): () => void;
  /**
   * Asked where it was closed elsewhere, or by going back to a moment; `true` where it has what was typed here and isn't
   * saved: then it stays open on this page alone, until it is closed here. Returns how to take that back.
   */
  hold(holds: () => boolean): () => void;
}
