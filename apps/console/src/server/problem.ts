import { z } from "zod";

const Body = z.object({ detail: z.string(), title: z.string() });

/** What the server answered that isn't what was asked for, in its own words. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, detail: string) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.title = title;
  }
}

/** The sentence to show for whatever was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (error instanceof TypeError) return "The server can't be reached. Is it running? Start it with: npm start";
  return error instanceof Error ? error.message : String(error);
}

export async function problemOf(response: Response): Promise<Problem> {
  const said = Body.safeParse(await response.json().catch(() => undefined));
  if (said.success) return new Problem(response.status, said.data.title, said.data.detail);
  return new Problem(response.status, "Not done", `The server answered ${response.status}. Try again.`);
}
