import Fastify from "fastify";
import { expect, test } from "vitest";
import { twinOf } from "./listen.ts";

test("DOOR-15: the other loopback address waits as long for a head and a body as the first", () => {
  const web = Fastify({ requestTimeout: 0, keepAliveTimeout: 7000, http: { headersTimeout: 15_000 } });
  const times = { headersTimeout: 15_000, keepAliveTimeout: 7000, requestTimeout: 0 };
  expect(web.server).toMatchObject(times);
  expect(twinOf(web, { tls: undefined })).toMatchObject(times);
});
