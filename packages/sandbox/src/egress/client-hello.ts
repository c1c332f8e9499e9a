/** What the first bytes of a TLS connection say about the server it is for. */
export type Hello =
  | { readonly state: "more" }
  | { readonly state: "named"; readonly name: string }
  | { readonly state: "refused"; readonly why: string };

/** A hello with a post-quantum key share has 2 KB. */
export const MAX_HELLO = 16_384;
/** It is read from its start each time that more of it comes, so the pieces are counted. */
const MAX_RECORDS = 64;

const RECORD_HEADER = 5;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;

/**
 * Reads the server's name out of a ClientHello (RFC 8446 4.1.2, RFC 6066 3), however it is cut into records and
 * segments. What it can't read exactly it refuses: the server might read it otherwise.
 */
export function readHello(bytes: Buffer): Hello {
  try {
    const message = messageOf(bytes);
    if (message === undefined) {
      return bytes.length < MAX_HELLO ? { state: "more" } : { state: "refused", why: "its TLS hello doesn't end" };
    }
    return { state: "named", name: serverNameIn(message) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { state: "refused", why: error.message };
  }
}

class Unreadable extends Error {}

/** The body of the handshake's first message, or nothing while there is more to come. */
function messageOf(bytes: Buffer): Buffer | undefined {
  const handshake = handshakeIn(bytes);
  if (handshake.length > 0 && handshake[0] !== CLIENT_HELLO)
    throw new Unreadable("its first TLS message isn't a hello");
  if (handshake.length < 4) return undefined;
  const size = handshake.readUIntBE(1, 3);
  if (size > MAX_HELLO) throw new Unreadable("its TLS hello is too long");
  return handshake.length < 4 + size ? undefined : handshake.subarray(4, 4 + size);
}

/** What the records at the start of the connection hold, as far as it is there. */
function handshakeIn(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let rest = bytes;
  while (rest.length > 0 && rest[0] === HANDSHAKE && parts.length < MAX_RECORDS) {
    if (rest.length < RECORD_HEADER) return Buffer.concat(parts);
    const size = rest.readUInt16BE(3);
    if (rest[1] !== 3 || size === 0 || size > 16_384) throw new Unreadable("what it sends isn't TLS");
    parts.push(rest.subarray(RECORD_HEADER, RECORD_HEADER + size));
    rest = rest.subarray(RECORD_HEADER + size);
  }
  if (parts.length === 0 && rest.length > 0) throw new Unreadable("what it sends isn't TLS");
  if (parts.length === MAX_RECORDS) throw new Unreadable("its TLS hello is in too many pieces");
  return Buffer.concat(parts);
}

function serverNameIn(message: Buffer): string {
  const hello = new Fields(message);
  hello.take(2 + 32); // version and random
  hello.vector(1); // session
  hello.vector(2); // cipher suites
  hello.vector(1); // compression
  const extensions = new Fields(hello.end ? Buffer.alloc(0) : hello.vector(2));
  hello.assertEnd();
  const names: Buffer[] = [];
  while (!extensions.end) {
    const type = extensions.number(2);
    const data = extensions.vector(2);
    if (type === SERVER_NAME) names.push(data);
  }
  const [list, ...more] = names;
  if (list === undefined || more.length > 0) throw new Unreadable("its TLS hello doesn't name one server");
  return nameIn(list);
}

function nameIn(list: Buffer): string {
  const outer = new Fields(list);
  const inner = new Fields(outer.vector(2));
  outer.assertEnd();
  const kind = inner.number(1);
  const name = inner.vector(2);
  inner.assertEnd();
  if (kind !== 0) throw new Unreadable("its TLS hello doesn't name one server");
  return name.toString("latin1");
}

/** Reads field by field, and never past the end. */
class Fields {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  get end(): boolean {
    return this.#rest.length === 0;
  }

  take(count: number): Buffer {
    if (this.#rest.length < count) throw new Unreadable("its TLS hello can't be read");
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  number(width: 1 | 2): number {
    return this.take(width).readUIntBE(0, width);
  }

  /** What is preceded by its length. */
  vector(width: 1 | 2): Buffer {
    return this.take(this.number(width));
  }

  assertEnd(): void {
    if (!this.end) throw new Unreadable("its TLS hello can't be read");
  }
}
