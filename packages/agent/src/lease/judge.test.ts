import type { DirectorTask } from "@choiros/contract";
import { expect, test } from "vitest";
import { judge, judgeOf, leaseOf, sortNeeds } from "./judge.ts";
import type { Lease, Need } from "./lease.ts";
import { DEFAULT_POLICY, type Policy } from "./policy.ts";

const lease: Lease = {
  allowed_tools: ["read_file", "bash"],
  egress: ["registry.npmjs.org"],
  paths: ["workspace/src", "artifacts"],
  time_budget_s: 300,
  verify: [],
};
const none: ReadonlySet<Need> = new Set();

function policy(lists: Partial<Policy>): Policy {
  return { ...DEFAULT_POLICY, ...lists };
}

test.each([
  ["read notes.md", "inside"],
  ["read /choiros/app.ts", "inside"],
  ["edit src/a.ts", "inside"],
  ["edit notes.md", "ask"],
  ["edit /artifacts/doc.json", "inside"],
  ["edit /artifacts/system/theme.json", "ask"],
  ["edit /choiros/app.ts", "ask"],
  ["edit /.git/config", "never"],
  ["edit /.choir/log.sqlite", "never"],
  ["read /.choir/log.sqlite", "never"],
  ["secret .env", "ask"],
  ["network registry.npmjs.org", "ask"],
  ["network example.org", "ask"],
  ["tool bash", "inside"],
  ["tool undo", "ask"],
] as const)("LEASE-4: by default '%s' is %s", (need, judgement) => {
  expect(judge(need, lease, DEFAULT_POLICY, none)).toBe(judgement);
});

test("LEASE-2: the most exact line holds, whichever list it is in", () => {
  const exact = policy({ allow: ["edit .", "edit src/gen/ok"], ask: ["edit src/gen"], never: [] });
  expect(judge("edit src/a", lease, exact, none)).toBe("inside");
  expect(judge("edit src/gen/a", lease, exact, none)).toBe("ask");
  expect(judge("edit src/gen/ok/a", lease, exact, none)).toBe("inside");
  const hosts = policy({ allow: ["network registry.npmjs.org"], ask: ["network *"] });
  expect(judge("network registry.npmjs.org", lease, hosts, none)).toBe("inside");
  expect(judge("network example.org", lease, hosts, none)).toBe("ask");
});

test("LEASE-2: of lines that are as exact, always is before ask, and ask before allow", () => {
  expect(judge("edit src/a", lease, policy({ allow: ["edit src"], ask: ["edit src"] }), none)).toBe("ask");
  expect(judge("edit src/a", lease, policy({ always: ["edit src"], ask: ["edit src"] }), none)).toBe("inside");
});

test("LEASE-2: never is above a more exact line, above what was granted, and above always", () => {
  const never = policy({ never: ["edit src"], allow: ["edit src/a"], always: ["edit src/a"] });
  expect(judge("edit src/a", lease, never, new Set(["edit src/a"]))).toBe("never");
});

test("LEASE-2: what no line names is asked about", () => {
  expect(judge("edit src/a", lease, policy({ allow: [], ask: [] }), none)).toBe("ask");
});

test("LEASE-5: what was granted covers what is below it; what is always allowed holds beyond the lease", () => {
  expect(judge("edit notes/a", lease, DEFAULT_POLICY, new Set(["edit notes"]))).toBe("inside");
  expect(judge("edit notes/a", lease, policy({ always: ["edit notes"] }), none)).toBe("inside");
});

test("LEASE-2: git+pkg is judged host by host, and what is never had of it isn't in it", () => {
  const open: Lease = { ...lease, egress: "git+pkg" };
  const ofNever = policy({ allow: [...DEFAULT_POLICY.allow, "network git+pkg"], never: ["network github.com"] });
  const sort = (by: Policy, need = "network git+pkg") => sortNeeds([need], judgeOf(open, by, none));
  expect(sort(ofNever)).toMatchObject({ ask: [], never: [] });
  expect(sort(ofNever).inside).toContain("network pypi.org");
  expect(sort(ofNever).inside).not.toContain("network github.com");
  expect(sort(ofNever, "network github.com").never).toEqual(["network github.com"]);
  expect(judge("network git+pkg", open, ofNever, new Set(["network git+pkg"]))).not.toBe("inside");
  const ofAsk = policy({
    allow: [...DEFAULT_POLICY.allow, "network git+pkg"],
    ask: ["network *", "network github.com"],
  });
  expect(sort(ofAsk).ask).toEqual(["network github.com"]);
  expect(sort(policy({ never: ["network git+pkg"] })).never).toEqual(["network git+pkg"]);
  expect(sort(DEFAULT_POLICY).ask).toEqual(["network git+pkg"]);
});

test("LEASE-2: however a host is spelt, the line that names it holds", () => {
  const never = policy({ always: ["network *"], never: ["network example.org"] });
  for (const host of ["example.org", "example.org.", "EXAMPLE.org", "ｅxample.org"])
    expect(judge(`network ${host}`, lease, never, none)).toBe("never");
});

const task: DirectorTask = { ...lease, acceptance_criteria: [], instruction: "", kind: "edit", task_id: "t1" };

test("LEASE-6: a task's checks are commands: what the policy says of those is known before it runs, and the task itself has none", () => {
  const checked = { ...task, allowed_tools: ["read_file"], egress: "none" as const, paths: [], verify: ["npm test"] };
  const planned = leaseOf(checked, policy({ ask: ["tool bash"] }));
  expect(planned).toMatchObject({ needs: ["tool read_file", "tool bash"], ask: ["tool bash"], never: [] });
  expect(planned.lease.allowed_tools).toEqual(["read_file"]);
  expect(leaseOf(checked, policy({ never: ["tool bash"] })).never).toEqual(["tool bash"]);
  expect(leaseOf(checked, DEFAULT_POLICY).ask).toEqual([]);
  expect(leaseOf({ ...checked, verify: [] }, DEFAULT_POLICY).needs).toEqual(["tool read_file"]);
});

test("LEASE-6: a planned task's lease is told line by line, with what must be asked for and what can't be had", () => {
  const planned = leaseOf(
    { ...task, egress: "git+pkg", paths: ["workspace", "choiros", ".choir/log"] },
    DEFAULT_POLICY,
  );
  expect(planned.needs).toEqual([
    ...["tool read_file", "tool bash", "edit .", "edit /choiros", "edit /.choir/log", "network git+pkg"],
  ]);
  expect(planned.ask).toEqual(["edit /choiros", "network git+pkg"]);
  expect(planned.never).toEqual(["edit /.choir/log"]);
  expect(planned.lease).not.toHaveProperty("instruction");
});
