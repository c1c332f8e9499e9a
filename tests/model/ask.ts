import type { Model, ModelAnswer, ModelOptions, ModelRequest } from "@choiros/agent";

/** What is asked where the question doesn't matter. */
export const REQUEST: ModelRequest = {
  system: "You are scripted.",
  messages: [{ role: "user", text: "Say something." }],
  tools: [],
  maxTokens: 1000,
};

/** One call with nothing special about it. */
export function ask(
  model: Model,
  options: Partial<ModelOptions> = {},
  request: Partial<ModelRequest> = {},
): Promise<ModelAnswer> {
  return model.ask({ ...REQUEST, ...request }, { signal: new AbortController().signal, ...options });
}
