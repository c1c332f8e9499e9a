import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What the server counts, for Prometheus. By route, never by address, path or person. */
export class Metrics {
  readonly registry = new Registry();
  readonly #seconds = new Histogram({
    name: "choir_http_request_seconds",
    help: "Requests that were answered, and how long that took",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [this.registry],
  });
  readonly #broken = new Counter({
    name: "choir_http_errors_total",
    help: "Requests that failed in the server",
    registers: [this.registry],
  });

  constructor(counts: Readonly<Record<string, () => number>>) {
    collectDefaultMetrics({ register: this.registry });
    for (const [what, count] of Object.entries(counts))
      new Gauge({
        name: `choir_${what}`,
        help: `How many ${what} there are now`,
        registers: [this.registry],
        collect() {
          this.set(count());
        },
      });
  }

  answered({ method, route, status, ms }: Answered): void {
    this.#seconds.observe({ method, route, status }, ms / 1000);
    if (status >= 500) this.#broken.inc();
  }
}

export interface Answered {
  readonly method: string;
  /** Its pattern: what stands in a path is the user's own. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}
