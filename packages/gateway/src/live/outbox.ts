import type { Envelope } from "@choiros/contract";
import type { FromServer } from "@choiros/contract/wire";
import type { WebSocket } from "ws";
import type { LiveLimits } from "./limits.ts";

type Moment = Extract<FromServer, { readonly event: Envelope }>;

/** What goes to one client. It holds little more than `roomBytes` for one that doesn't read. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #limits: Pick<LiveLimits, "roomBytes" | "slowMs">;
  readonly #tooSlow: () => void;
  /** Resolves once everything is taken; absent while there is room. */
  #full: Promise<void> | undefined;

  constructor(socket: WebSocket, limits: Pick<LiveLimits, "roomBytes" | "slowMs">, tooSlow: () => void) {
    this.#socket = socket;
    this.#limits = limits;
    this.#tooSlow = tooSlow;
  }

  /** Resolves once it is on its way, in the order of sending; also where nobody is there any more. */
  send(message: FromServer): Promise<void> {
    return this.#put(() => JSON.stringify(message));
  }

  /** The same event goes to many: it is written down once. */
  sendEvent(moment: Moment): Promise<void> {
    return this.#put(() => encode(moment));
  }

  /** What may be left out, and is, where there is no room for it. */
  offer(message: FromServer): void {
    if (this.#full === undefined) void this.send(message);
  }

  async #put(make: () => string | Buffer): Promise<void> {
    while (this.#full !== undefined) await this.#full;
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    const data = make();
    if (socket.bufferedAmount + data.length <= this.#limits.roomBytes) return socket.send(data, TEXT);
    this.#full = new Promise((resolve) => {
      const slow = setTimeout(this.#tooSlow, this.#limits.slowMs);
      socket.send(data, TEXT, () => {
        clearTimeout(slow);
        this.#full = undefined;
        resolve();
      });
    });
  }
}

const TEXT = { binary: false };
const encoded = new WeakMap<Envelope, Buffer>();

function encode(moment: Moment): Buffer {
  const known = encoded.get(moment.event);
  if (known !== undefined) return known;
  const made = Buffer.from(JSON.stringify(moment));
  encoded.set(moment.event, made);
  return made;
}
