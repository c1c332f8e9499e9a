import { Watched } from "../watched.ts";

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

/** All of it went out, and its answer never came: it may be done. */
export class Unanswered extends TypeError {}

/** Grows with each answer that the server's disk has no room: from then on nobody may say that all is kept. */
export const noRoom = new Watched(0);

/** What the server answered, as it said it. */
export function answeredProblem({ title, detail }: { title: string; detail: string }, status?: number): Problem {
  if (title === "The disk is full") noRoom.set(noRoom.get() + 1);
  return new Problem(title, detail, status);
}

/** The sentence to show for whatever was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof TypeError) return "The server can't be reached at the moment.";
  return error instanceof Error ? error.message : String(error);
}
