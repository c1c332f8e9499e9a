import { expect, test } from "vitest";
import type { Me } from "./server/shapes.ts";
import { afterAsking, type Stage } from "./stage.ts";

const ME: Me = {
  account: { hasPassword: false, id: "ada", name: "ada", role: "owner" },
  computers: [{ desk: "http://ada-desk.localhost", id: "ada", name: "ada" }],
  session: "s",
  token: "t",
};
const OUT: Stage = { is: "out", why: "You were signed out." };

test("CONSOLE-34: whoever learns first that nobody is signed in any more, the door says so", () => {
  expect(afterAsking({ is: "in", me: ME }, undefined)).toEqual(OUT);
  expect(afterAsking(OUT, undefined)).toEqual(OUT);
});

test("CONSOLE-34: who wasn't signed in is told of no sign-out, and who signs in is in", () => {
  expect(afterAsking({ is: "asking" }, undefined)).toEqual({ is: "out" });
  expect(afterAsking(OUT, ME)).toEqual({ is: "in", me: ME });
});
