import { once } from "node:events";
import { duplexPair } from "node:stream";
import { connect as tlsConnect } from "node:tls";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_HELLO, readHello } from "./client-hello.ts";

const RECORD = 5;

async function helloFor(servername: string): Promise<Buffer> {
  const [near, far] = duplexPair();
  const socket = tlsConnect({ socket: near, servername });
  socket.on("error", () => {});
  const [bytes]: Buffer[] = await once(far, "data");
  socket.destroy();
  return bytes ?? Buffer.alloc(0);
}

/** The same hello in records of so many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const payload = hello.subarray(RECORD);
  const records: Buffer[] = [];
  for (let at = 0; at < payload.length; at += size) {
    const part = payload.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

test("NET-9: the server's name is read out of a real TLS hello", async () => {
  expect(readHello(await helloFor("a.example"))).toEqual({ state: "named", name: "a.example" });
});

test("NET-9: a hello that is cut off anywhere is waited for, whatever records it comes in", async () => {
  const hello = await helloFor("a.example");
  for (const bytes of [hello, inRecords(hello, 40), inRecords(hello, hello.length)]) {
    for (let size = 0; size < bytes.length; size++)
      expect(readHello(bytes.subarray(0, size))).toEqual({ state: "more" });
    expect(readHello(bytes)).toEqual({ state: "named", name: "a.example" });
    expect(readHello(Buffer.concat([bytes, Buffer.from("more")]))).toEqual({ state: "named", name: "a.example" });
  }
});

test("NET-9: what isn't TLS, or names no server, is refused", async () => {
  const refused = { state: "refused" };
  expect(readHello(Buffer.from("GET / HTTP/1.1\r\n"))).toMatchObject(refused);
  expect(readHello(Buffer.from("SSH-2.0-x\r\n"))).toMatchObject(refused);
  expect(readHello(await helloFor(""))).toMatchObject(refused);
  expect(readHello(Buffer.from([22, 3, 1, 0, 0, 22, 3, 1]))).toMatchObject(refused);
  expect(readHello(inRecords(await helloFor("a.example"), 1))).toMatchObject(refused);
  expect(readHello(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]))).toMatchObject(refused);
  const endless = Buffer.concat([Buffer.from([22, 3, 1, 64, 0, 1, 0, 63, 255]), Buffer.alloc(MAX_HELLO)]);
  expect(readHello(endless.subarray(0, MAX_HELLO))).toMatchObject(refused);
});

test("NET-9: a list of names that holds anything but one name is refused", async () => {
  const hello = await helloFor("a.example");
  const name = Buffer.from("a.example");
  const at = hello.indexOf(name);
  const kindAt = at - 3;
  for (const [offset, value] of [
    [kindAt, 1], // not a host's name
    [at - 1, name.length - 1], // the name is shorter than its list
    [at - 4, name.length + 4], // the list is longer than its extension
  ] as const) {
    const altered = Buffer.from(hello);
    altered[offset] = value;
    expect(readHello(altered)).toMatchObject({ state: "refused" });
  }
});

test("NET-9: a hello that names a server twice is refused", async () => {
  const hello = await helloFor("a.example");
  const at = hello.indexOf("a.example") - 9; // type, length, list's length, kind, name's length
  const extension = hello.subarray(at, at + 18);
  const twice = Buffer.concat([hello.subarray(0, at + 18), extension, hello.subarray(at + 18)]);
  const sessionAt = RECORD + 4 + 34;
  const suitesAt = sessionAt + 1 + hello.readUInt8(sessionAt);
  const compressionAt = suitesAt + 2 + hello.readUInt16BE(suitesAt);
  const extensionsAt = compressionAt + 1 + hello.readUInt8(compressionAt);
  for (const lengthAt of [3, RECORD + 2, extensionsAt]) {
    twice.writeUInt16BE(twice.readUInt16BE(lengthAt) + extension.length, lengthAt);
  }
  expect(readHello(twice)).toEqual({ state: "refused", why: "its TLS hello doesn't name one server" });
});

test("NET-9: a damaged hello is named, refused or waited for, and never anything else", async () => {
  const hello = await helloFor("a.example");
  fc.assert(
    fc.property(fc.nat(hello.length - 1), fc.nat(255), fc.nat(hello.length), (at, value, size) => {
      const altered = Buffer.from(hello);
      altered[at] = value;
      expect(["more", "named", "refused"]).toContain(readHello(altered.subarray(0, size)).state);
    }),
    { numRuns: 2000 },
  );
});
