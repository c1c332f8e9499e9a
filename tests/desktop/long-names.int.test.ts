import { expect, test } from "vitest";
import { agentSeats } from "./agent-seat.ts";
import { boxOf, openDesk } from "./desk.ts";
import { openAsk, Playing } from "./playing.ts";

const seat = agentSeats();

test.for(["390 dark", "1440 light"] as const)(
  "ASKS-5: a name of many lines stays within what it names: in the choice of what shall stand, beside the mark of its ask, and beside the words of its task, at %s",
  async (look) => {
    const at = await seat();
    const here = await openDesk(at, look);
    const name = `${"a-name-that-goes-on-and-on-".repeat(4)}.md`;
    const agent = await Playing.begun(at, "Write two files");
    const window = await openAsk(here, "Write two files");
    await agent.start(await agent.plan("Write them"));
    await agent.edit(name, "one\n");
    await agent.edit("b.md", "b\n");
    await agent.finish();
    await agent.answer("Both are there.");
    await at.computer.write(`workspace/${name}`, Buffer.from("my own words\n"));
    await window.getByRole("button", { name: "Undo all of it" }).click();
    const conflict = window.getByRole("group", { name });
    await conflict.getByText("-my own words").waitFor();
    const [box, legend] = [await boxOf(conflict), await boxOf(conflict.locator("legend"))];
    const why = await boxOf(conflict.locator("legend + p"));
    expect(legend.y).toBeGreaterThan(box.y);
    expect(legend.y + legend.height).toBeLessThanOrEqual(why.y);
    await conflict.getByText("Keep what is there now").click();
    await window.getByRole("button", { name: "Take back 1 change" }).click();
    await here.desk.getByText(`Kept as it stands: ${name}`).waitFor();
    const words = window.locator(".course-facts").getByText(name);
    const [mark, said] = [await boxOf(window.locator(".course-facts .ask-mark")), await boxOf(words)];
    expect(mark.x + mark.width).toBeLessThanOrEqual(said.x);
    expect(Math.abs(mark.y - said.y)).toBeLessThan(mark.height / 2);
    const [task, told] = [await boxOf(window.locator(".task-head")), await boxOf(window.locator(".task-words"))];
    expect(told.width).toBeGreaterThan(task.width / 3);
  },
);
