declare module "*.css" {}
declare module "@fontsource-variable/inter/index.css" {}
declare module "@fontsource-variable/jetbrains-mono/index.css" {}

/** What Vite puts in the place of a call when it builds. */
interface ImportMeta {
  glob<Module>(pattern: string, options: GlobOptions): Readonly<Record<string, Module>>;
}

interface GlobOptions {
  readonly eager: true;
  /** As text, or as where it can be fetched. */
  readonly query?: "?raw" | "?url";
  readonly import?: "default";
}
