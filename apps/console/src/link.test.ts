import { expect, test } from "vitest";
import { parseLink } from "./link.ts";

test("CONSOLE-36: an address brings a token, or an event of a computer, or nothing", () => {
  expect(parseLink("#link=secret&event=2&computer=ada")).toEqual({ token: "secret" });
  expect(parseLink("#computer=ada&event=12")).toEqual({ event: { computer: "ada", seq: 12 } });
  for (const hash of ["", "#", "#event=12", "#computer=ada", "#computer=../x&event=1", "#computer=ada&event=-1"])
    expect(parseLink(hash)).toEqual({});
});
