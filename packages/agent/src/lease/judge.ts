import { type DirectorTask, pathKey } from "@choiros/contract";
import { GIT_AND_PACKAGES } from "@choiros/sandbox";
import type { Judgement, Lease, Need } from "./lease.ts";
import { covers, exactness, GIT_PKG, networkNeed, type ParsedNeed, parseNeed, pathNeed, toolNeed } from "./need.ts";
import type { Policy } from "./policy.ts";

/**
 * Whether something may be done. `never` is above all, then what was granted meanwhile, then the line of the policy that
 * names it most exactly; of lines that are as exact, `always` is before `ask`, and `ask` before `allow`. What is only
 * allowed must be in the lease too; what no line names is asked about.
 */
export function judge(need: Need, lease: Lease, policy: Policy, grants: ReadonlySet<Need>): Judgement {
  return judgeOf(lease, policy, grants)(need);
}

/** The same for many needs, also such as nobody has to read: of a command that changed a hundred thousand paths each is one. */
export function judgeOf(
  lease: Lease,
  policy: Policy,
  grants: ReadonlySet<Need>,
): (need: Need | ParsedNeed) => Judgement {
  const [never, granted, leased] = [policy.never, [...grants], needsOf(lease)].map((lines) => lines.map(meant));
  const ranked = RANKS.flatMap((list) => policy[list].map((line) => ({ list, line: meant(line) }))).sort(
    (a, b) => exactness(b.line) - exactness(a.line), // of those that are as exact, in the order of their lists
  );
  const judgeOne = (wanted: ParsedNeed): Judgement => {
    const isAmong = (lines: readonly ParsedNeed[] = []) => lines.some((line) => covers(line, wanted));
    if (isAmong(never)) return "never";
    if (isAmong(granted)) return "inside";
    const says = ranked.find(({ line }) => covers(line, wanted))?.list;
    if (says === "always") return "inside";
    return says === "allow" && (NOT_LEASED.includes(wanted.kind) || isAmong(leased)) ? "inside" : "ask";
  };
  return (need) => {
    const wanted = typeof need === "string" ? meant(need) : need;
    if (wanted.what !== GIT_PKG || wanted.kind !== "network") return judgeOne(wanted);
    const hosts = new Set(GIT_AND_PACKAGES.map((what) => judgeOne({ kind: "network", what })));
    return (["never", "ask"] as const).find((one) => hosts.has(one)) ?? "inside";
  };
}

/** Whether nobody has to be asked; as a `whole`, also not for what any line of the policy names below it. */
export function insideOf(
  lease: Lease,
  policy: Policy,
  grants: ReadonlySet<Need>,
): (need: Need | ParsedNeed, whole?: "whole") => boolean {
  const judging = judgeOf(lease, policy, grants);
  const lines = [...policy.never, ...RANKS.flatMap((list) => policy[list])].map(meant);
  return (need, whole) => {
    if (judging(need) !== "inside") return false;
    const wanted = typeof need === "string" ? meant(need) : need;
    return whole === undefined || lines.every((line) => !covers(wanted, line) || judging(line) === "inside");
  };
}

/** What may be done of what is needed, what must be asked for, and what can't be had: as lines that are shown. */
type SortedNeeds = Readonly<Record<Judgement, readonly Need[]>>;

/** Of `git+pkg` each host is judged by itself. It is shown by its name where it is whole. */
export function sortNeeds(needs: readonly Need[], judging: (need: Need) => Judgement): SortedNeeds {
  const { inside = [], ask = [], never = [] } = Object.fromEntries(Map.groupBy(opened(needs, judging), judging));
  return { inside: folded(inside), ask: folded(ask), never };
}

const ALL_OF_IT = networkNeed(GIT_PKG);
const GIT_HOSTS: readonly Need[] = GIT_AND_PACKAGES.map(networkNeed);

/** What is never had of `git+pkg` isn't in it; where that is all of it, it can't be had. */
function opened(needs: readonly Need[], judging: (need: Need) => Judgement): readonly Need[] {
  if (!needs.includes(ALL_OF_IT)) return needs;
  const hosts = GIT_HOSTS.filter((need) => judging(need) !== "never");
  return needs.flatMap((need) => (need === ALL_OF_IT && hosts.length > 0 ? hosts : [need]));
}

function folded(needs: readonly Need[]): readonly Need[] {
  const all = new Set(needs);
  if (!GIT_HOSTS.every((need) => all.has(need))) return [...all];
  return [...all].filter((need) => !GIT_HOSTS.includes(need)).concat(ALL_OF_IT);
}

const RANKS = ["always", "ask", "allow"] as const;
/** These are the policy's alone: a lease says nothing of them. */
const NOT_LEASED: readonly string[] = ["read", "secret"];

/** What a planned task would have, as lines that are shown; which of them need the user's word, and which can't be had. */
export interface PlannedLease {
  readonly lease: Lease;
  readonly needs: readonly Need[];
  readonly ask: readonly Need[];
  readonly never: readonly Need[];
}

/** To be settled before a task begins: what is asked for here and approved goes into its grants, and isn't asked for then. */
export function leaseOf(task: DirectorTask, policy: Policy, grants: ReadonlySet<Need> = new Set()): PlannedLease {
  const { acceptance_criteria: _, instruction: __, kind: ___, task_id: ____, ...lease } = task;
  const whole = { ...lease, allowed_tools: [...new Set([...lease.allowed_tools, ...checksNeed(lease)])] };
  const all = needsOf(whole);
  const judging = judgeOf(whole, policy, grants);
  const { ask, never } = sortNeeds(all, judging);
  return { lease, needs: folded(opened(all, judging)), ask, never };
}

/** A task's checks are commands, whether or not the task itself may run any. */
function checksNeed({ verify }: Lease): readonly string[] {
  return verify.length > 0 ? ["bash"] : [];
}

/** The hosts of a lease, each as a line. */
export function networkNeeds({ egress }: Pick<Lease, "egress">): Need[] {
  if (egress === "none") return [];
  return egress === GIT_PKG ? [ALL_OF_IT] : egress.map(networkNeed);
}

function needsOf(lease: Lease): Need[] {
  const tools = lease.allowed_tools.map(toolNeed);
  const paths = lease.paths.map((path) => pathNeed("edit", pathKey(path)));
  return [...tools, ...paths, ...networkNeeds(lease)];
}

/** A line that is wrong was refused where it came in; here it is a mistake of our own. */
function meant(line: Need): ParsedNeed {
  const parsed = parseNeed(line);
  if ("why" in parsed) throw new Error(`'${line}' ${parsed.why}`);
  return parsed;
}
