import { join } from "node:path";
import { z } from "zod";
import { parseToml, readToml } from "../toml/read-toml.ts";
import type { ModelUsage } from "./model.ts";
import { SHIPPED_PRICES } from "./shipped-prices.ts";

/** Dollars, or `null` where the price or the usage is unknown. */
export type CostOf = (provider: string, model: string, usage: ModelUsage) => number | null;

const Amount = z.number().min(0).max(100_000);

const Price = z.strictObject({
  provider: z.string().min(1),
  /** A name, which dates and versions may follow; `*` is anything. */
  model: z.string().min(1).max(200),
  up_to: z.int().min(1).exactOptional(),
  in: Amount,
  cached: Amount.exactOptional(),
  written: Amount.exactOptional(),
  out: Amount,
});
type Price = z.infer<typeof Price>;

const Prices = z.strictObject({ price: z.array(Price).default([]) });

/** What calls cost: `prices.toml` in the home goes before what is known here. */
export async function readPrices(
  home: string,
): Promise<{ readonly ok: true; readonly costOf: CostOf } | { readonly ok: false; readonly message: string }> {
  const own = await readToml(join(home, "prices.toml"), Prices);
  if (!own.ok) return own;
  const prices = [...own.value.price, ...SHIPPED];
  return { ok: true, costOf: (provider, model, usage) => costBy(prices, provider, model, usage) };
}

/** What calls cost by what is known here. */
export const costOf: CostOf = (provider, model, usage) => costBy(SHIPPED, provider, model, usage);

const SHIPPED: readonly Price[] = shipped();

function shipped(): readonly Price[] {
  const read = parseToml(SHIPPED_PRICES, Prices, "shipped-prices.ts");
  if (!read.ok) throw new Error(read.message);
  return read.value.price;
}

function costBy(prices: readonly Price[], provider: string, model: string, usage: ModelUsage): number | null {
  const { in: read, out, cached, written = 0 } = usage;
  if (read === null || out === null) return null;
  const price = prices.find(
    (one) => one.provider === provider && fits(one.model, model) && read <= (one.up_to ?? Number.POSITIVE_INFINITY),
  );
  if (price === undefined) return null;
  const kept = cached ?? 0;
  const anew = Math.max(0, read - kept - written);
  const paid =
    anew * price.in + kept * (price.cached ?? price.in) + written * (price.written ?? price.in) + out * price.out;
  return paid / 1_000_000;
}

/** `claude-opus-5` is `claude-opus-5-20260724` and `claude-opus-5-20260724-v1:0` too, but not `claude-opus-5-5`. */
function fits(pattern: string, model: string): boolean {
  const words = pattern.split("*").map((word) => RegExp.escape(word));
  return new RegExp(`^${words.join(".*")}(-\\d{4}-?\\d{2}-?\\d{2})?(-v\\d+(:\\d+)?)?(-latest)?$`).test(model);
}
