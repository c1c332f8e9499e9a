/**
 * What providers want in dollars for a million tokens, as they published it by November 2026. In a module, so that it is there
 * however the server is built. `written`: into a cache. `up_to`: for prompts of at most so many tokens. What isn't here is
 * unknown, not free. Bedrock's regional endpoints have prices of their own.
 */
export const SHIPPED_PRICES = `
price = [
  { provider = "anthropic", model = "claude-fable-5-1", in = 10, cached = 0.25, written = 12.5, out = 50 },
  { provider = "anthropic", model = "claude-fable-5", in = 10, cached = 1, written = 12.5, out = 50 },
  { provider = "anthropic", model = "claude-opus-5-5", in = 4, cached = 0.2, written = 5, out = 20 },
  { provider = "anthropic", model = "claude-opus-5", in = 5, cached = 0.5, written = 6.25, out = 25 },
  { provider = "anthropic", model = "claude-opus-4-8", in = 5, cached = 0.5, written = 6.25, out = 25 },
  { provider = "anthropic", model = "claude-opus-4-7", in = 5, cached = 0.5, written = 6.25, out = 25 },
  { provider = "anthropic", model = "claude-opus-4-6", in = 5, cached = 0.5, written = 6.25, out = 25 },
  { provider = "anthropic", model = "claude-opus-4-5", in = 5, cached = 0.5, written = 6.25, out = 25 },
  { provider = "anthropic", model = "claude-opus-4-1", in = 15, cached = 1.5, written = 18.75, out = 75 },
  { provider = "anthropic", model = "claude-sonnet-5-5", in = 2, cached = 0.1, written = 2.5, out = 10 },
  { provider = "anthropic", model = "claude-sonnet-5", in = 2, cached = 0.2, written = 2.5, out = 10 },
  { provider = "anthropic", model = "claude-sonnet-4-6", in = 3, cached = 0.3, written = 3.75, out = 15 },
  { provider = "anthropic", model = "claude-sonnet-4-5", in = 3, cached = 0.3, written = 3.75, out = 15 },
  { provider = "anthropic", model = "claude-haiku-5-5", up_to = 100000, in = 0.1, cached = 0.01, written = 0.125, out = 0.5 },
  { provider = "anthropic", model = "claude-haiku-5-5", in = 0.5, cached = 0.05, written = 0.625, out = 2.5 },
  { provider = "anthropic", model = "claude-haiku-4-5", in = 1, cached = 0.1, written = 1.25, out = 5 },

  { provider = "bedrock", model = "global.anthropic.claude-opus-5", in = 5, cached = 0.5, written = 6.25, out = 25 },
  { provider = "bedrock", model = "global.anthropic.claude-opus-4-5", in = 5, cached = 0.5, written = 6.25, out = 25 },
  { provider = "bedrock", model = "global.anthropic.claude-sonnet-4-5", in = 3, cached = 0.3, written = 3.75, out = 15 },
  { provider = "bedrock", model = "global.anthropic.claude-haiku-4-5", in = 1, cached = 0.1, written = 1.25, out = 5 },

  { provider = "openai-compatible", model = "gpt-6-sol", up_to = 272000, in = 2, cached = 0.2, written = 2.5, out = 10 },
  { provider = "openai-compatible", model = "gpt-6-luna", up_to = 272000, in = 0.1, cached = 0.01, written = 0.125, out = 0.5 },
  { provider = "openai-compatible", model = "gpt-5", in = 1.25, cached = 0.125, out = 10 },
  { provider = "openai-compatible", model = "gpt-5-mini", in = 0.25, cached = 0.025, out = 2 },
  { provider = "openai-compatible", model = "gpt-4.1", in = 2, cached = 0.5, out = 8 },
  { provider = "openai-compatible", model = "gpt-4.1-mini", in = 0.4, cached = 0.1, out = 1.6 },
  { provider = "openai-compatible", model = "gpt-4o", in = 2.5, cached = 1.25, out = 10 },
  { provider = "openai-compatible", model = "gpt-4o-mini", in = 0.15, cached = 0.075, out = 0.6 },
]
`;
