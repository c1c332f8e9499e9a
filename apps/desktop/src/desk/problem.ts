/** What the server answered that isn't what was asked for, in its own words. */
export class Problem extends Error {
  readonly title: string;
  /** Of the answer, where it came over HTTP. */
  readonly status: number | undefined;

  constructor(title: string, detail: string, status?: number) {
    super(detail);
    this.name = "Problem";
    this.title = title;
    this.status = status;
  }
}

/** The sentence to show for whatever was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof TypeError) return "The server can't be reached at the moment.";
  return error instanceof Error ? error.message : String(error);
}
