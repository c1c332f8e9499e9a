import { DEMO_ASK, type WindowValue } from "@choiros/contract";
import { expect, test } from "vitest";
import { agentSeats } from "./agent-seat.ts";
import { boxOf, eventually, openDesk, say, windowOf } from "./desk.ts";
import { asksOf, openAsk, Playing } from "./playing.ts";

const seat = agentSeats();

test("ASKS-3, ASKS-7: a question is shown as it was written, and elsewhere in plain words; an approval line by line, with what for", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 dark");
  const agent = await Playing.begun(at, "Paint the door");
  const covers = "edit /artifacts/system\nnetwork example.org";
  const why = 'write_file {"path":"/artifacts/system/theme.json","content":"{}"}';
  await agent.append("approval.asked", { approval: "p1", covers, why });
  const window = await openAsk(here, "Paint the door");
  const lines = window.getByRole("list", { name: "What it asks for" }).getByRole("listitem");
  await eventually(() => lines.allTextContents()).toEqual(["edit /artifacts/system", "network example.org"]);
  await window.getByText("To write a file").waitFor();
  await window.getByText("/artifacts/system/theme.json").waitFor();
  expect(await window.getByText("write_file").count()).toBe(0);
  await agent.append("approval.given", { approval: "p1", decision: "once" });

  await agent.append("ask.wondered", { question: "**Which** colour, `red` or\n\n- blue?" });
  const question = window.getByRole("region", { name: "A question for you" });
  await question.locator("strong").getByText("Which").waitFor();
  await question.locator("code").getByText("red").waitFor();
  await here.desk.locator(".asks-sub").getByText("has a question: Which colour, red or • blue?").waitFor();
});

test("TIME-2: in Timeline an ask that has a question says so, and what was played from a script is told as that", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 light");
  const agent = await Playing.begun(at, "Paint the door");
  const demo = await Playing.begun(at, DEMO_ASK);
  await demo.edit("demo.md", "x\n");
  await say(here, "timeline");
  const line = (words: string) =>
    here.desk.getByRole("region", { name: "Timeline" }).getByRole("treeitem").filter({ hasText: words });
  await line("Paint the door").getByText("running").waitFor();
  await agent.append("ask.wondered", { question: "Which colour?" });
  await line("Paint the door").getByText("has a question").waitFor();
  expect(await line("Paint the door").getByText("running").count()).toBe(0);
  await demo.answer("There.");
  await line(DEMO_ASK).getByText("scripted demo, done").waitFor();
  await line(DEMO_ASK).getByRole("button", { name: /^Open/ }).click();
  await line("Answered").click();
  await here.desk.getByText("by the scripted demo").waitFor();
});

test("DESK-45: what `open` and `find` don't find can be asked instead, with the whole line", async () => {
  const at = await seat();
  const here = await openDesk(at, "1024 dark");
  const toasts = here.desk.getByRole("region", { name: "Notifications", exact: true });
  const bar = here.desk.getByRole("combobox", { name: "Ask for anything" });
  await say(here, "open the other file for me");
  const notice = toasts.locator(".toast").filter({ hasText: "There is no file, folder or app" });
  await notice.getByRole("button", { name: "Ask this instead" }).click();
  await here.desk.getByRole("button", { name: "1 ask, waits: open the other file for me" }).waitFor();
  expect(await bar.inputValue()).toBe("");
  await say(here, "find out why the build is slow");
  await here.desk.getByText("No file or folder has a name with").waitFor();
  await here.desk.locator(".files-instead").getByRole("button", { name: "Ask this instead" }).click();
  await windowOf(here, "find out why the build is slow");
});

test("ASKS-9: a window that an agent opens leaves the one in which the user types in front, and is shown by its notice", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 dark");
  await say(here, "new doc mine");
  const front = here.desk.locator(".window[data-front=true]");
  await front.getByText("mine.md").first().waitFor();
  await front.locator(".cm-content").click();
  await here.page.keyboard.type("I am ");
  await at.computer.write("workspace/theirs.md", Buffer.from("x"));
  const window: WindowValue = {
    ...{ app: "editor", args: { key: "workspace/theirs.md" }, box: { x: 96, y: 72, w: 820, h: 560 } },
    ...{ state: "normal", title: "theirs.md", z: 0 },
  };
  const agent = await Playing.begun(at, "Show me theirs");
  await at.computer.changeWindows("open", new Map([["window.theirs", window]]), {
    source: "agent",
    cause: agent.cause,
  });
  const toasts = here.desk.getByRole("region", { name: "Notifications", exact: true });
  const notice = toasts.locator(".toast").filter({ hasText: "“theirs.md” is open behind your window" });
  await notice.waitFor();
  await here.page.keyboard.type("typing");
  await front.getByText("I am typing").waitFor();
  await notice.getByRole("button", { name: "Show" }).click();
  await front.getByText("theirs.md").first().waitFor();
});

test("ASKS-1, ASKS-2, ASKS-7, CONSOLE-22: on a phone a code's language covers no letter of it, and which ask isn't over, where to approve, and what Stop is for, is said", async () => {
  const at = await seat();
  const here = await openDesk(at, "390 light");
  const agent = await Playing.begun(at, "Write a long line about rye, wheat and barley");
  const toast = here.desk.getByRole("region", { name: "Notifications", exact: true }).locator(".toast");
  await agent.append("approval.asked", { approval: "p1", covers: "network example.org" });
  const words = toast.locator(".notice-text", { hasText: /^Needs your approval, in the bar above: “Write/ });
  await words.waitFor();
  await here.desk.getByRole("button", { name: "1 ask, needs your approval: Write a long line about rye" }).waitFor();
  const stop = here.page.getByRole("button", { name: "Stop “Write a long line about rye, wheat and barley”" });
  expect(await stop.getAttribute("title")).toMatch(/^Agent · waits for your approval: “Write a long line/);
  const room = await words.evaluate((text) => text.clientWidth);
  expect(await words.evaluate(widthOfBeginning)).toBeLessThan(room);
  await agent.append("approval.given", { approval: "p1", decision: "once" });
  await agent.answer(`\`\`\`sh\n${"curl example.org/a/long/path ".repeat(4)}\n\`\`\``);
  const window = await openAsk(here, "Write a long line about rye, wheat and barley");
  const label = await boxOf(window.locator(".md-language"));
  const code = await boxOf(window.locator(".md-code code"));
  expect(label.y + label.height).toBeLessThanOrEqual(code.y);
});

/** How far the words reach that say where to answer. */
function widthOfBeginning(element: HTMLElement | SVGElement): number {
  const text = element.firstChild;
  if (text === null) return Number.POSITIVE_INFINITY;
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(text, "Needs your approval, in the bar above".length);
  return range.getBoundingClientRect().width;
}

test("ASKS-3: whoever types on while something is said to an ask, or after it, goes on typing there", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 light");
  const { desk, page } = here;
  const agent = await Playing.begun(at, "Write to the queen");
  await openAsk(here, "Write to the queen");
  const window = desk.locator(".window[data-front=true]");
  const tell = window.getByRole("textbox", { name: "Tell it something" });
  await tell.click();
  for (const text of ["Be brief", "Be kind"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
  await page.keyboard.type("No");
  await eventually(async () => (await asksOf(at)).length).toBe(3);
  await page.keyboard.type("w");
  expect(await tell.inputValue()).toBe("Now");
  await agent.answer("Dear queen");

  const more = window.getByRole("textbox", { name: "Ask for more" });
  await more.and(desk.locator(":focus")).waitFor();
  await page.keyboard.type(" to the king");
  await page.keyboard.press("Enter");
  await page.keyboard.type("And");
  await window.getByRole("heading", { name: "Now to the king", level: 3 }).waitFor();
  await more.and(desk.locator(":focus")).waitFor();
  await page.keyboard.type(" to the pope");
  expect(await more.inputValue()).toBe("And to the pope");
});

test.for(["1440 dark", "390 light"] as const)(
  "ASKS-3: what a task ended with is red where it failed, and calm where it is a question, at %s",
  async (look) => {
    const at = await seat();
    const here = await openDesk(at, look);
    const agent = await Playing.begun(at, "Paint the door");
    const window = await openAsk(here, "Paint the door");
    for (const [status, words] of [
      ["needs_input", "Which colour?"],
      ["failed", "There is no paint."],
    ] as const) {
      await agent.start(await agent.plan(`Paint it, ${status}`));
      await agent.finish(status, words);
    }
    await agent.answer("Not yet.", [], "given-up");
    const coloursOf = (words: string) =>
      window
        .locator(".task-summary")
        .filter({ hasText: words })
        .evaluate((box) => {
          const { backgroundColor, borderTopColor } = getComputedStyle(box);
          return { backgroundColor, borderTopColor };
        });
    await window.getByText("There is no paint.").waitFor();
    const [question, failure] = [await coloursOf("Which colour?"), await coloursOf("There is no paint.")];
    expect(question.borderTopColor).not.toBe(failure.borderTopColor);
    expect(question.backgroundColor).not.toBe(failure.backgroundColor);
  },
);
