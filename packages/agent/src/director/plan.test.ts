import { expect, test } from "vitest";
import { pathOf } from "./path-of.ts";
import { planned } from "./plan.ts";

test("a plan with the least becomes a task with a lease of the workspace, without network", () => {
  expect(planned({ instruction: "Do it." }, "t1", pathOf)).toMatchObject({
    ok: true,
    task: { egress: "none", kind: "edit", paths: ["workspace"], task_id: "t1", time_budget_s: 300, verify: [] },
  });
});

test("paths are those of the workspace, or from the computer's root", () => {
  const plan = planned({ instruction: "Do it.", paths: ["notes/a.md", "/artifacts/x"] }, "t1", pathOf);
  expect(plan).toMatchObject({ task: { paths: ["workspace/notes/a.md", "artifacts/x"] } });
});

test("hosts are spelt as they are compared", () => {
  const plan = planned({ instruction: "Do it.", egress: ["Example.ORG.", "bücher.example"] }, "t1", pathOf);
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
  const plan = planned(input, "t1", pathOf);
  expect(plan.ok ? "" : plan.why).toContain(why);
});
