import { Watched } from "../../watched.ts";
import type { Verb } from "./placing.ts";

export interface Clip {
  readonly verb: Verb;
  readonly keys: ReadonlySet<string>;
}

/** What was cut or copied, in this page: what is cut in one window can be pasted in another. */
export const clipboard = new Watched<Clip | undefined>(undefined);
