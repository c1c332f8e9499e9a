import {
  demoModels,
  findModels,
  type Means,
  type Missing,
  type Models,
  openModels,
  openPolicy,
  openSecrets,
  type PolicyFile,
  readPrices,
} from "@choiros/agent";
import type { Readiness } from "@choiros/gateway/operations";
import type { Home } from "../home.ts";

/** What all agents of a home have in common: models, their prices, and the rules. Keys stay in here. */
export class AgentsHouse {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly models: Models;
  readonly policy: PolicyFile;
  readonly #changed = new Set<() => void>();

  constructor(home: Home, env: NodeJS.ProcessEnv) {
    this.home = home.path;
    this.env = env;
    this.models = openModels({ home: home.path, env, secrets: openSecrets({ home: home.path, env }) });
    this.policy = openPolicy(home.path);
  }

  /** What an ask is worked at with. The demo needs no model, and costs nothing. */
  async means(demo: boolean): Promise<Means | Missing> {
    const { policy } = this;
    if (demo) return { ...demoModels(), costOf: () => 0, policy };
    const [director, associate] = [await this.models.model("director"), await this.models.model("associate")];
    if (!director.ok) return { missing: director.message };
    if (!associate.ok) return { missing: associate.message };
    const prices = await readPrices(this.home);
    if (!prices.ok) return { missing: prices.message };
    return { director: director.model, associate: associate.model, costOf: prices.costOf, policy };
  }

  async readiness(demo: boolean): Promise<Readiness> {
    const [means, policy] = [await this.means(demo), await this.policy.read()];
    if ("missing" in means) return { ready: false, why: means.missing };
    if (!policy.ok) return { ready: false, why: policy.message };
    return { ready: true, director: means.director.name, associate: means.associate.name };
  }

  found() {
    return findModels({ env: this.env });
  }

  /** Heard when something may go on that could not before. */
  onChange(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  tellChanged(): void {
    for (const listener of this.#changed) listener();
  }
}
