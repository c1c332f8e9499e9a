import { inOneLine } from "../lease/quoted.ts";
import { shownWord } from "../lease/written-path.ts";
import type { ToolOutcome } from "./dispatch-port.ts";

/** How a command is told to a model: how it ended, what it said, and what became of its files. */
export interface EndedCommand extends Pick<ToolOutcome, "status" | "exit" | "changed" | "files"> {
  readonly said: string;
  readonly reason?: string | undefined;
  readonly notes?: readonly string[];
}

export function commandText({ status, exit, reason, said, changed = [], files = 0, notes = [] }: EndedCommand): string {
  const ending = exit === undefined ? `ended: ${status}` : `exit ${exit}`;
  const named = changed.map(shownWord).join(", ");
  const more = files > changed.length ? `${named === "" ? "" : ", "}${files - changed.length} more` : "";
  return [
    reason === undefined ? ending : `${ending}: ${inOneLine(reason)}`,
    ...(files > 0 ? [`changed: ${named}${more}`] : []),
    ...notes.filter((note) => note !== reason).map(inOneLine),
    ...(said === "" && status === "denied" ? [] : [said === "" ? "it said nothing" : `it said:\n${said}`]),
  ].join("\n");
}
