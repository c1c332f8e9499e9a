import { expect, test } from "vitest";
import { pathOf } from "./path-of.ts";
import { planned } from "./plan.ts";

const MOST = { cost_usd: 3, time_s: 1800, tokens: 2_000_000 };

test("a plan with the least becomes a task with a lease of the workspace, without network", () => {
  expect(planned({ instruction: "Do it." }, "t1", pathOf, MOST)).toMatchObject({
    ok: true,
    task: { egress: "none", kind: "edit", paths: ["workspace"], task_id: "t1", time_budget_s: 300, verify: [] },
  });
});

test("LEASE-6: what a task may take is said, and is never more than the policy's limits", () => {
  const budgets = (input: object, most = MOST) => {
    const plan = planned({ instruction: "Do it.", ...input }, "t1", pathOf, most);
    if (!plan.ok) throw new Error(plan.why);
    const { cost_budget, time_budget_s, token_budget } = plan.task;
    return [cost_budget, token_budget, time_budget_s];
  };
  expect(budgets({})).toEqual([3, 2_000_000, 300]);
  expect(budgets({ cost_budget: 0.5, token_budget: 1000, time_budget_s: 60 })).toEqual([0.5, 1000, 60]);
  expect(budgets({ cost_budget: 9, token_budget: 9_000_000, time_budget_s: 9000 })).toEqual([3, 2_000_000, 1800]);
  // Nothing left is still a task: it stops at its limit, and says so.
  expect(budgets({}, { cost_usd: 0, time_s: 0.5, tokens: 0 })).toEqual([0, 1, 1]);
});

test("paths are those of the workspace, or from the computer's root", () => {
  const plan = planned({ instruction: "Do it.", paths: ["notes/a.md", "/artifacts/x"] }, "t1", pathOf, MOST);
  expect(plan).toMatchObject({ task: { paths: ["workspace/notes/a.md", "artifacts/x"] } });
});

test("hosts are spelt as they are compared", () => {
  const plan = planned({ instruction: "Do it.", egress: ["Example.ORG.", "bücher.example"] }, "t1", pathOf, MOST);
  expect(plan).toMatchObject({ task: { egress: ["example.org", "xn--bcher-kva.example"] } });
});

test.each([
  [{}, "instruction"],
  [{ instruction: "Do it.", paths: ["/etc/passwd"] }, "'/etc/passwd' is not in the computer"],
  [{ instruction: "Do it.", paths: ["../up"] }, "can't be a path"],
  [{ instruction: "Do it.", paths: ["/"] }, "a task can't have all of the computer"],
  [{ instruction: "Do it.", path: ["a.md"] }, '"path"'],
  [{ instruction: "Do it.", egress: "all" }, "egress"],
  [{ instruction: "Do it.", egress: ["127.0.0.1"] }, "'127.0.0.1' can't be a host: it is an IP address"],
  [{ instruction: "Do it.", egress: ["https://example.org"] }, "'https://example.org' can't be a host"],
  [{ instruction: "Do it.", allowed_tools: ["No Tool"] }, "allowed_tools.0 must be a tool's name"],
])("a plan that doesn't fit says what is wrong with it: %j", (input, why) => {
  const plan = planned(input, "t1", pathOf, MOST);
  expect(plan.ok ? "" : plan.why).toContain(why);
});
