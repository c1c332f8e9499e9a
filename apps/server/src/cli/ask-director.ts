import type { CommandCall, ExitCode } from "./command.ts";

/** An ask that no command answers is the Director's. Where no model could answer it, it isn't kept: nobody would come to it. */
export async function askDirector({ terminal }: CommandCall, _text: string): Promise<ExitCode> {
  terminal.aside("choir: no model is connected that could answer this, so it was not kept.");
  terminal.aside("What needs none is done here: 'choir ask help' lists it.");
  return 1;
}
