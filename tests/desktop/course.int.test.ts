import { expect, test } from "vitest";
import { answer, finish, gate, plan, run } from "../agent/scripts.ts";
import { choir } from "../console/stage.ts";
import { eventually, openDesk, say, windowOf } from "./desk.ts";
import { inEditor } from "./editor-window.ts";
import { ask, openAsk, scriptedSeats } from "./scripted-seat.ts";

const seat = scriptedSeats();

test.for(["1440 dark", "390 light"] as const)(
  "AGENT-2, ASKS-2, EDIT-15: of a repository its own files are shown, of many the first few, and one that is gone by then isn't taken for saved, at %s",
  async (look) => {
    const { at, scripted } = await seat();
    const here = await openDesk(at, look);
    scripted.play([
      [plan({ instruction: "Begin a repository with seven parts." })],
      [run("git init -q g && for n in 1 2 3 4 5 6 7; do echo $n > g/part$n.md; done")],
      [finish()],
      [answer("It has seven parts.")],
    ]);
    const window = await ask(here, "Begin a repository");
    await window.getByRole("region", { name: "Answer" }).waitFor();
    await window.getByText(/^\d+ files in \.git$/).waitFor();
    expect(await window.getByRole("region", { name: /\.git\// }).count()).toBe(0);
    const places = window.locator(".course-look").getByRole("button");
    const parts = (last: number) => Array.from({ length: last }, (_, i) => `g/part${i + 1}.md`);
    expect(await places.allTextContents()).toEqual([...parts(5), "and 3 more"]);
    await places.last().click();
    expect(await places.allTextContents()).toEqual([...parts(7), "g"]);
    await choir(at.home, ["rm", "g/part2.md"]);
    await places.nth(1).click();
    const { status, page, window: editor } = await inEditor(here, "part2.md");
    await editor.getByText("There is no such file. What you type here begins one.").waitFor();
    expect(await status()).toBe("No file yet");
    await page.keyboard.type("2\n");
    await page.keyboard.press("Control+s");
    await eventually(status).toBe("Saved");
    expect(await choir(at.home, ["cat", "g/part2.md"])).toBe("2\n");
  },
);

test("ASKS-2, MODEL-7: what a model is waited for, and what it has said, is shown to whoever looks later, and the wait also after a reload", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1024 dark");
  const watched = gate();
  const busy = { status: 429, headers: { "retry-after": "20" }, message: "Slow down" };
  scripted.play([["One task will do. ", { until: watched.opened }, plan({ instruction: "Wait." })], busy]);
  await say(here, "ask Wait for it");
  await scripted.received(1);
  await here.desk.getByRole("button", { name: "1 ask, running: Wait for it" }).waitFor();
  const window = await openAsk(here, "Wait for it");
  await window.getByText("One task will do.").waitFor();
  await window.getByRole("button", { name: "Close Wait for it" }).click();
  await window.waitFor({ state: "detached" });
  watched.open();
  await scripted.received(2);
  await openAsk(here, "Wait for it");
  const why = window.getByText(/Slow down.* · \d+ s$/);
  await why.waitFor();
  await here.page.reload();
  await (await windowOf(here, "Wait for it")).waitFor();
  await why.waitFor();
  await window.getByRole("button", { name: "Stop", exact: true }).click();
  await window.locator(".course-facts").getByText("stopped", { exact: true }).waitFor();
});
