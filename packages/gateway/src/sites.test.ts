import { describe, expect, test } from "vitest";
import { type SiteNames, Sites } from "./sites.ts";

const NAMES: SiteNames = {
  consoleHost: "choir.localhost",
  deskHost: "{computer}-desk.localhost",
  scheme: "http",
  port: 4000,
  allowedOrigins: ["https://portal.example"],
};
const sites = new Sites(NAMES);

describe("names", () => {
  test.each([
    ["choir.localhost:4000", { is: "console" }],
    ["CHOIR.localhost:4000", { is: "console" }],
    ["choir.localhost.:4000", { is: "console" }],
    ["ada-desk.localhost:4000", { is: "desk", computer: "ada" }],
    ["Ada-Desk.localhost:4000", { is: "desk", computer: "ada" }],
    ["ada-desk-desk.localhost:4000", { is: "desk", computer: "ada-desk" }],
    ["localhost:4000", { is: "door" }],
    ["127.0.0.1:4000", { is: "door" }],
    ["[::1]:4000", { is: "door" }],
  ])("SITE-1: %s is ours", (host, site) => {
    expect(sites.siteOf(host)).toEqual(site);
  });

  test.each([
    undefined,
    "",
    "choir.localhost",
    "choir.localhost:4001",
    "choir.localhost:04000x",
    "choir.localhost:4000:4000",
    "choir.localhost..:4000",
    "evil.choir.localhost:4000",
    "choir.localhost.evil.example:4000",
    "choir.localhost@evil.example:4000",
    "evil.example:4000",
    "-desk.localhost:4000",
    "-ada-desk.localhost:4000",
    "a.b-desk.localhost:4000",
    "xn--80ak6aa92e-desk.localhost:4000",
    `${"a".repeat(41)}-desk.localhost:4000`,
    "ada-desk.localhost:4000/",
    "ada-desk.localhost\u0000:4000",
    "[::ffff:127.0.0.1]:4000",
    "127.0.0.2:4000",
    "2130706433:4000",
    "0.0.0.0:4000",
  ])("SITE-1: %s is nobody's name here", (host) => {
    expect(sites.siteOf(host)).toBeUndefined();
  });

  test("SITE-1: where the port is the usual one, names come without", () => {
    const usual = new Sites({ ...NAMES, scheme: "https", port: 443 });
    expect(usual.siteOf("choir.localhost")).toEqual({ is: "console" });
    expect(usual.siteOf("choir.localhost:443")).toEqual({ is: "console" });
    expect(usual.siteOf("choir.localhost:80")).toBeUndefined();
    expect(usual.console).toBe("https://choir.localhost");
  });

  test.each(["desk.localhost", "{computer}.{computer}.localhost", ""])(
    "SITE-2: a desk's host that is %j is refused, for it doesn't name one computer",
    (deskHost) => {
      expect(() => new Sites({ ...NAMES, deskHost })).toThrow("needs {computer} in it once");
    },
  );
});

describe("origins", () => {
  const [console, ada] = [{ is: "console" }, { is: "desk", computer: "ada" }] as const;

  test("SITE-3: at the console its own page may ask, and pages that the configuration allows", () => {
    expect(sites.isOurs("http://choir.localhost:4000", console)).toBe(true);
    expect(sites.isOurs("https://portal.example", console)).toBe(true);
  });

  test("SITE-3: at a desk its own page may ask, and no other, the console's neither", () => {
    expect(sites.isOurs("http://ada-desk.localhost:4000", ada)).toBe(true);
    expect(sites.isOurs("http://choir.localhost:4000", ada)).toBe(false);
    expect(sites.isOurs("http://bob-desk.localhost:4000", ada)).toBe(false);
    expect(sites.isOurs("https://portal.example", ada)).toBe(false);
  });

  test.each([
    "null",
    "",
    "http://choir.localhost",
    "http://choir.localhost:4001",
    "https://choir.localhost:4000",
    "http://choir.localhost:4000/",
    "http://CHOIR.localhost:4000",
    "http://ada-desk.localhost:4000",
    "http://evil.example",
  ])("SITE-3: a page of %j may not ask at the console", (origin) => {
    expect(sites.isOurs(origin, console)).toBe(false);
  });

  test("SITE-3: by a name without a page nobody's page may ask", () => {
    for (const origin of ["http://localhost:4000", "http://choir.localhost:4000"])
      expect(sites.isOurs(origin, { is: "door" })).toBe(false);
  });

  test("SITE-4: a browser's policy names all desks by one pattern, whose star is a whole label", () => {
    expect(sites.anyDesk(console)).toBe("http://*.localhost:4000");
    const below = new Sites({ ...NAMES, deskHost: "{computer}.desk.example" });
    expect(below.anyDesk(console)).toBe("http://*.desk.example:4000");
    expect(sites.desk("ada")).toBe("http://ada-desk.localhost:4000");
  });
});
