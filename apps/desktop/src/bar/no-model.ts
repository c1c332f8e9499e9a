import type { DeskApi } from "../desk/api.ts";
import type { NewNotice } from "../desk/notices.ts";

/** Who waits for an answer is told this. The one place where "Connect a model" goes once there is one to connect. */
export const NOBODY = "Nobody answers yet: no model can be connected. Your words are kept, and wait.";

export function tellNobody(api: DeskApi): NewNotice {
  return { text: NOBODY, action: { label: "More", run: () => explainAsks(api) } };
}

export function explainAsks(api: DeskApi): void {
  api.open("help", { find: "", heading: "Asks", page: "desktop.md" });
}
