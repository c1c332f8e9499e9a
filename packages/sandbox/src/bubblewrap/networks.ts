import type { Duplex } from "node:stream";
import { Network } from "../porter/network.ts";
import type { Command, Place, Running } from "../sandbox.ts";
import { SandboxError } from "../sandbox-error.ts";

/** The networks of one sandbox: the one that its terminals share, and those of commands that asked for one. */
export class Networks {
  readonly #allowLoopback: boolean;
  readonly #own = new WeakMap<Running, Network>();
  #shared: { readonly egress: string; readonly network: Promise<Network> } | undefined;

  constructor(allowLoopback: boolean) {
    this.#allowLoopback = allowLoopback;
  }

  /** Nothing where a command needs none: then it gets an empty one that nobody else can reach. */
  async of(command: Command): Promise<{ network: Network; own: boolean } | undefined> {
    const { egress = "none", network } = command;
    if (network === "terminals") return { network: await this.#sharedWith(command), own: false };
    if (network === undefined && egress === "none") return undefined;
    return { network: await this.#open(command), own: true };
  }

  /** So that it can be dialled. */
  remember(running: Running, network: Network): void {
    this.#own.set(running, network);
  }

  async dial(port: number, where: Place): Promise<Duplex> {
    const network = where === "terminals" ? await this.#shared?.network : this.#own.get(where);
    if (network !== undefined) return network.dial(port);
    const why = where === "terminals" ? "no terminal was opened yet" : "the command was not given a network of its own";
    throw new SandboxError("refused", `nothing can be reached at port ${port} inside: ${why}`);
  }

  async close(): Promise<void> {
    const shared = this.#shared;
    this.#shared = undefined;
    await (await shared?.network.catch(() => undefined))?.close();
  }

  async #sharedWith(command: Command): Promise<Network> {
    const egress = JSON.stringify(command.egress ?? "none");
    this.#shared ??= { egress, network: this.#open(command) };
    if (this.#shared.egress === egress) return this.#shared.network;
    throw new SandboxError(
      "misuse",
      `terminals share one network, and it was opened with the egress ${this.#shared.egress}`,
    );
  }

  #open({ egress = "none", onConnection = () => {} }: Command): Promise<Network> {
    return Network.open({ egress, onConnection, allowLoopback: this.#allowLoopback });
  }
}
