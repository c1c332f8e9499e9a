/** Wrong words on the command line: exit 2, with the way to the help. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** What can't be done, in a sentence for the person who asked, and the lines that belong to it: exit 1. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly more: readonly string[];

  constructor(message: string, options: ErrorOptions & { readonly more?: readonly string[] } = {}) {
    super(message, options);
    this.more = options.more ?? [];
  }
}

/** Nobody reads the output any more. */
export class OutputClosed extends Error {
  override name = "OutputClosed";
}
