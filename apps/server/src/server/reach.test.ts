import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sites } from "@choiros/gateway";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Config } from "../config/schema.ts";
import { tempHome } from "../testing/temp-home.ts";
import { makeCertificate } from "../testing/test-certificate.ts";
import { reachOf } from "./reach.ts";

type Settings = Partial<Config["server"]>;

const reach = (server: Settings, home = "/nowhere") => reachOf(Config.parse({ server }).server, home);
const PUBLIC = { console_host: "choir.example.com", desk_host: "{computer}-desk.example.net" };
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15";
const CHROMIUM =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

test("DOOR-10: unless told otherwise, this machine alone can reach it, by both loopback addresses", () => {
  const usual = reach({});
  expect(usual).toMatchObject({ hosts: ["127.0.0.1", "::1"], tls: undefined, proxiedOnly: false, notices: [] });
  expect(usual.address(4680)).toBe("http://localhost:4680");
  for (const listen of ["127.0.0.1", "127.1.2.3", "::1"]) expect(reach({ listen }).hosts).toEqual([listen]);
});

test("DOOR-10: a console that has a public name and isn't on https is told of", () => {
  const { desk_host } = PUBLIC;
  expect(reach({ public_url: "http://choir.example.com", desk_host }).notices).toEqual([
    expect.stringContaining("the session's cookie too"),
  ]);
  expect(reach({ public_url: "https://choir.example.com", desk_host }).notices).toEqual([]);
});

describe("DOOR-10: what reaches further and isn't safe is refused, with what to set", () => {
  test.each<[string, Settings]>([
    ["every address", { listen: "0.0.0.0" }],
    ["every address of either kind", { listen: "::" }],
    ["one of them", { listen: "192.168.1.5", ...PUBLIC }],
    ["a proxy that nobody named", { listen: "0.0.0.0", public_url: "https://choir.example.com" }],
    ["a proxy that doesn't encrypt", { public_url: "http://choir.example.com", trusted_proxies: ["10.0.0.2"] }],
  ])("%s", (_, given) => {
    const server = { listen: "0.0.0.0", desk_host: PUBLIC.desk_host, ...given };
    expect(() => reach(server)).toThrow(
      /^server.listen is .*: set server.tls_cert and server.tls_key, or server.public_url = "https:\/\/…" and server.trusted_proxies$/,
    );
  });
});

test("DOOR-11: behind a proxy the names and the port are those that browsers see", () => {
  const found = reach({
    ...{ listen: "0.0.0.0", public_url: "https://choir.example.com", desk_host: PUBLIC.desk_host },
    trusted_proxies: ["10.0.0.2"],
  });
  expect(found).toMatchObject({ hosts: ["0.0.0.0"], proxiedOnly: true, trusted: ["10.0.0.2"] });
  expect(found.address(4680)).toBe("https://choir.example.com");
  const sites = new Sites(found.names(4680));
  expect(sites.siteOf("choir.example.com")).toEqual({ is: "console" });
  expect(sites.siteOf("ada-desk.example.net")).toEqual({ is: "desk", computer: "ada" });
  expect(sites.siteOf("choir.example.com:4680")).toBeUndefined();
  expect(sites.siteOf("localhost:4680", SAFARI)).toEqual({ is: "door" });
});

describe("DOOR-12: names that don't go together are refused", () => {
  test.each<[string, Settings, string]>([
    [
      "the console's is a desk's",
      { console_host: "choir.example.com", desk_host: "{computer}.example.com" },
      "one site",
    ],
    ["below the console's", { console_host: "example.com", desk_host: "{computer}-desk.example.com" }, "one site"],
    ["above the console's", { console_host: "a.b.example.com", desk_host: "{computer}.example.com" }, "one site"],
    ["two consoles", { console_host: "a.example.com", public_url: "https://b.example.com" }, "set one"],
    ["no names for desks", { console_host: "choir.example.com" }, "set server.desk_host as well"],
    [
      "names of this machine for others",
      { listen: "0.0.0.0", tls_cert: "c", tls_key: "k" },
      "set server.console_host and server.desk_host",
    ],
  ])("%s", (_, server, sentence) => {
    expect(() => reach(server)).toThrow(sentence);
  });

  test("below one domain they may be, and that is told", () => {
    const one = reach({ public_url: "https://choir.example.com", desk_host: "{computer}-desk.example.com" });
    expect(one.notices).toEqual([expect.stringContaining("both below example.com")]);
    expect(reach({ public_url: "https://choir.example.com", desk_host: PUBLIC.desk_host }).notices).toEqual([]);
  });
});

describe("DOOR-13: a certificate that can't serve is refused, with the reason", () => {
  const home = () => {
    const { path } = tempHome();
    makeCertificate(path, ["choir.example.com", "*.example.net"]);
    return path;
  };
  const server: Settings = { ...PUBLIC, listen: "0.0.0.0", tls_cert: "cert.pem", tls_key: "key.pem" };

  test("one that fits is taken, from the home", () => {
    const found = reach(server, home());
    expect(found).toMatchObject({ proxiedOnly: false, notices: [] });
    expect(found.address(443)).toBe("https://choir.example.com");
    expect(found.address(4680)).toBe("https://choir.example.com:4680");
  });

  test.each<[string, Settings, string | RegExp]>([
    ["without its key", { tls_key: "" }, "server.tls_key is missing"],
    ["that isn't there", { tls_cert: "gone.pem" }, /^server.tls_cert can't be read: ENOENT/],
    ["that is none", { tls_cert: "key.pem" }, "server.tls_cert key.pem is no certificate in PEM"],
    [
      "of another key",
      { tls_key: "other.pem" },
      /^server.tls_key other.pem can't be used with server.tls_cert cert.pem/,
    ],
    ["of another console", { console_host: "x.example.com" }, "is not for x.example.com, but for choir.example.com"],
    ["of other desks", { desk_host: "{computer}-desk.example.org" }, "is not for ada-desk.example.org"],
    ["of an address that isn't https", { public_url: "http://choir.example.com" }, "it is https:"],
  ])("%s", (_, given, sentence) => {
    const path = home();
    execFileSync("openssl", ["genpkey", "-algorithm", "ed25519", "-out", join(path, "other.pem")]);
    expect(() => reach({ ...server, ...given }, path)).toThrow(sentence);
  });

  test("one that is good no longer is told, and taken", () => {
    const path = home();
    vi.useFakeTimers({ now: Date.now() + 3 * 86_400_000, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(reach(server, path).notices).toEqual([expect.stringContaining("is good no longer")]);
  });

  test("a key with a password is named", () => {
    const path = home();
    const words = ["genpkey", "-algorithm", "rsa", "-aes256", "-pass", "pass:secret", "-out", join(path, "locked.pem")];
    execFileSync("openssl", words, { stdio: "ignore" });
    expect(() => reach({ ...server, tls_key: "locked.pem" }, path)).toThrow("without a password");
    writeFileSync(join(path, "empty.pem"), "");
    expect(() => reach({ ...server, tls_key: "empty.pem" }, path)).toThrow("server.tls_key empty.pem can't be used");
  });
});

describe("DOOR-14: a browser that knows no names below localhost gets two sites all the same", () => {
  const sites = new Sites(reach({}).names(4680));

  test("localhost is its console, and 127.0.0.1 one desk at a time", () => {
    const console = sites.siteOf("localhost:4680", SAFARI);
    const desk = sites.siteOf("127.0.0.1:4680", SAFARI);
    if (console === undefined || desk === undefined) throw new Error("these are ours");
    expect([console, desk]).toEqual([{ is: "console", plain: true }, { is: "desk" }]);
    expect(sites.desk("ada", console)).toBe("http://127.0.0.1:4680");
    expect(sites.anyDesk(console)).toBe("http://127.0.0.1:4680");
    expect(sites.frameOf(desk)).toBe("http://localhost:4680");
    expect(sites.isOurs("http://localhost:4680", console)).toBe(true);
    expect(sites.isOurs("http://127.0.0.1:4680", console)).toBe(false);
    expect(sites.isOurs("http://127.0.0.1:4680", desk)).toBe(true);
    expect(sites.isOurs("http://ada-desk.localhost:4680", desk)).toBe(false);
    expect(sites.siteOf("[::1]:4680", SAFARI)).toEqual({ is: "door" });
    expect(sites.consoleFor(SAFARI)).toBe("http://localhost:4680");
  });

  test.each([CHROMIUM, FIREFOX, "curl/8.5.0", undefined])("to any other they are doors: %s", (agent) => {
    for (const host of ["localhost:4680", "127.0.0.1:4680"]) expect(sites.siteOf(host, agent)).toEqual({ is: "door" });
    expect(sites.consoleFor(agent)).toBe("http://choir.localhost:4680");
  });
});
