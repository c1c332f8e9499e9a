import "./no-eval.ts";
import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import "./look/tokens.css";
import "./look/base.css";
import "./look/windows.css";
import "./look/switcher.css";
import "./look/taskbar.css";
import "./look/bar.css";
import "./look/asks.css";
import "./look/shell.css";
import "./look/toasts.css";
import { createRoot } from "react-dom/client";
import { apps } from "./apps/registry.ts";
import { tellAsks } from "./asks/tell-asks.ts";
import { tellWindows } from "./asks/tell-windows.ts";
import { tellStillRunning } from "./bar/still-running.ts";
import { awaitTokens, linkedEvent, sayHello } from "./console.ts";
import { Desk } from "./desk/desk.ts";
import { deskApi } from "./desk/desk-api.ts";
import { pastNotices } from "./desk/past-notices.ts";
import { watchUnheard } from "./desk/tell-unheard.ts";
import { takeKeysOnPress, watchHand } from "./focus.ts";
import { Shell } from "./shell/shell.tsx";
import { applyTheme } from "./system/apply-theme.ts";
import { SystemFiles } from "./system/system-files.ts";
import { frontOf } from "./windows/deeds.ts";
import { catchFaults } from "./windows/faults.ts";
import { Windowing } from "./windows/windowing.ts";

const desk = new Desk({ onRefused: sayHello });
const windowing = new Windowing(desk);
const api = deskApi(desk, windowing);
catchFaults({ windows: () => desk.windows.get(), notify: (notice) => api.notify(notice) });
watchUnheard(desk, api);
const system = new SystemFiles(api);
applyTheme(system.theme.get());
takeKeysOnPress();
watchHand();
awaitTokens((grant) => desk.give(grant));
const event = linkedEvent();
void desk.ready.when(true).then(() => {
  pastNotices(api).then(
    (past) => desk.notices.restore(past),
    () => {}, // Timeline has them
  );
  tellStillRunning(api).catch(() => {}); // Timeline has them, too
  if (event !== undefined) api.open("timeline", { seq: event });
  // The log's own beginning is all there is.
  else if (desk.head === 1) for (const app of apps.get().filter(({ begins }) => begins === true)) api.open(app.id);
});
const isAskInFront = (ask: string) => {
  const front = desk.windows.get().get(frontOf(desk.windows.get()) ?? "");
  return document.visibilityState === "visible" && front?.app === "course" && front.args.ask === ask;
};
tellAsks(api, isAskInFront, desk.windows);
tellWindows(api, (id) => frontOf(desk.windows.get()) === id);
const place = document.getElementById("desktop");
if (place === null) throw new Error("the page has no place for the desktop");
createRoot(place).render(<Shell {...{ desk, windowing, api, system }} />);
