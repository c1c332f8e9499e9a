export { Agents, type AgentsOptions } from "./asks/agents.ts";
export type { Means, Missing } from "./asks/means.ts";
export { demoModels } from "./demo/demo-models.ts";
export { judge, leaseOf, type PlannedLease } from "./lease/judge.ts";
export type { Judgement, Lease, Need } from "./lease/lease.ts";
export { DEFAULT_POLICY, type Limit, type Policy } from "./lease/policy.ts";
export { openPolicy, type PolicyFile, policyTextOf, policyVersion } from "./lease/policy-file.ts";
export { firstPolicyText, type ReadPolicy } from "./lease/policy-text.ts";
export { connectModel } from "./models/connect-model.ts";
export type { Connection } from "./models/connection.ts";
export { type Found, findModels } from "./models/find-models.ts";
export type {
  AnswerPart,
  Model,
  ModelAnswer,
  ModelMessage,
  ModelOptions,
  ModelRequest,
  ModelUsage,
  ToolReply,
  ToolSpec,
  ToolUse,
} from "./models/model.ts";
export { type Models, openModels, type ShownProvider } from "./models/models.ts";
export type { Chosen, Role } from "./models/models-file.ts";
export { type CostOf, costOf, readPrices } from "./models/prices.ts";
export type { Timing } from "./models/timing.ts";
export { openSecrets } from "./secrets/open-secrets.ts";
export { lastFour, type Secrets } from "./secrets/secrets.ts";
export { openDispatch } from "./tools/dispatch.ts";
export type { Dispatch, Job, Jobs, ToolOutcome, Work } from "./tools/dispatch-port.ts";
export { openJobs } from "./tools/jobs.ts";
export { Reading } from "./tools/reading.ts";
export { recall } from "./tools/recall.ts";
