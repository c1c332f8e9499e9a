import { LogError } from "@choiros/log";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { failed } from "./web-work.ts";

const noRoom = Object.assign(new Error("ENOSPC: no space left on device, write '/srv/home/x'"), { code: "ENOSPC" });

test.each([
  ["the log", new LogError("disk-full", "appending failed")],
  ["a file", noRoom],
])("WEB-18: where there is no room for %s, whoever asked is told so, and no path of the server's", async (_, error) => {
  const app = Fastify();
  app.get("/", (_request, reply) => failed(error, reply));
  const answer = await app.inject("/");
  expect([answer.statusCode, answer.json()]).toMatchObject([
    507,
    { detail: expect.stringContaining("nothing is lost") },
  ]);
  expect(answer.body).not.toContain("/srv");
});
