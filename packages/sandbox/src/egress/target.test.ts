import { expect, test } from "vitest";
import { AllowedHosts } from "./allowed-hosts.ts";
import { askedFor, parseTarget } from "./target.ts";

test.each([
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "0x7f000001",
  "0x7f.0.0.1",
  "0x7F.1",
  "0",
  "0.0.0.0",
  "00.0.0.0",
  "1.1.1.1",
  "1.1.1.1.",
  "127.0.0.1.",
  "169.254.169.254",
  "2852039166",
  "256.256.256.256",
  "a.example.0x",
  "a.example.1",
  "１２７.０.０.１",
  "①②⑦.0.0.1",
  "127。0。0。1",
  "::1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "::ffff:7f00:1",
  "[fd00:ec2::254]",
  "[::]",
  "fe80::1%eth0",
])("NET-4: %s is an address, and no name to connect to", (host) => {
  expect(parseTarget(`${host}:443`)).toMatchObject({ ok: false });
  expect(parseTarget(host, 443)).toMatchObject({ ok: false });
});

test.each([
  ["", "no host"],
  [":443", "no host"],
  ["a.example", "no port"],
  ["a.example:", "port"],
  ["a.example:0", "port"],
  ["a.example:65536", "port"],
  ["a.example:0443", "port"],
  ["a.example:+443", "port"],
  ["a.example:443x", "port"],
  ["me@a.example:443", "user name"],
  ["me:secret@a.example:443", "user name"],
  ["a.example:443@b.example:443", "user name"],
  [`${"a.".repeat(127)}aa:443`, "longer than 253"],
  [`${"a".repeat(64)}.example:443`, "isn't a host's name"],
  [`${"ä".repeat(60)}.${"ä".repeat(60)}.example:443`, "isn't a host's name"],
  ["a.example\0.b.example:443", "character"],
  ["a.example%00:443", "character"],
  ["%61.example:443", "character"],
  ["a example:443", "character"],
  ["a\texample:443", "character"],
  ["*.example:443", "character"],
  ["a.example/x:443", "character"],
  ["a.example\\x:443", "character"],
  ["a.example#:443", "character"],
  ["a..example:443", "isn't a host's name"],
  [".a.example:443", "isn't a host's name"],
  ["a.example..:443", "isn't a host's name"],
  ["-a.example:443", "isn't a host's name"],
  [".:443", "isn't a host's name"],
])("NET-4: '%s' is refused: %s", (asked, why) => {
  expect(parseTarget(asked)).toEqual({ ok: false, why: expect.stringContaining(why) });
});

test.each([
  ["a.example:443", "a.example"],
  ["A.EXAMPLE:443", "a.example"],
  ["a.example.:443", "a.example"],
  ["BÜCHER.example:443", "xn--bcher-kva.example"],
  ["xn--bcher-kva.example:443", "xn--bcher-kva.example"],
  ["ａ.example:443", "a.example"],
  ["_dmarc.a.example:443", "_dmarc.a.example"],
  ["localhost:443", "localhost"],
])("NET-3: '%s' is the same as %s", (asked, host) => {
  expect(parseTarget(asked)).toEqual({ ok: true, target: { host, port: 443 } });
});

test("NET-3: a name is on the list or it isn't: nothing above, below or beside it is meant too", () => {
  const allowed = new AllowedHosts(["GitHub.com."]);
  expect(allowed.refusalOf({ host: "github.com", port: 443 })).toBeUndefined();
  expect(allowed.refusalOf({ host: "github.com", port: 80 })).toBeUndefined();
  for (const host of ["com", "api.github.com", "github.com.evil.example", "xgithub.com", "github.co", "constructor"]) {
    expect(allowed.refusalOf({ host, port: 443 })).toMatch(/isn't on the list.*allowed: github\.com/);
  }
});

test("NET-3: other ports than 443 and 80 are reached where the list names them, and then only those", () => {
  const allowed = new AllowedHosts(["a.example", "b.example:8443", "b.example:9000"]);
  for (const port of [22, 9418, 8080])
    expect(allowed.refusalOf({ host: "a.example", port })).toMatch(/only ports 443 and 80 are/);
  expect(allowed.refusalOf({ host: "b.example", port: 8443 })).toBeUndefined();
  expect(allowed.refusalOf({ host: "b.example", port: 9000 })).toBeUndefined();
  expect(allowed.refusalOf({ host: "b.example", port: 443 })).toMatch(/only ports 8443 and 9000 are/);
  expect(new AllowedHosts(["c.example:22"]).refusalOf({ host: "c.example", port: 80 })).toMatch(/only port 22 is/);
});

test.each(["*.github.com", "1.1.1.1", "", "https://github.com", "github.com/choir", "git+pkg", "a.example:0"])(
  "NET-3: '%s' can't be on a list, and who gives it is told why",
  (entry) => {
    expect(() => new AllowedHosts([entry])).toThrow(`can't allow '${entry}' as a host to reach`);
  },
);

test("NET-3: who gives a URL for an entry is told that it is a name, without a scheme", () => {
  for (const entry of ["http://a.example", "https://a.example:8443/x"]) {
    expect(() => new AllowedHosts([entry])).toThrow("an entry is a host's name, without a scheme");
  }
});

test.each([
  ["a.example:65979", "a.example", 443],
  ["a.example:8443", "a.example", 8443],
  ["http://a.example/x", "a.example", 80],
  ["http://169.254.169.254:80/x", "169.254.169.254", 80],
  ["169.254.169.254:80", "169.254.169.254", 80],
  ["http://me:secret@a.example:0/", "a.example", 80],
  ["[::1]:8443", "[::1]", 8443],
  ["fd00::1", "fd00::1", 443],
  ["a.example:80:90", "a.example", 443],
  ["/x", "", 443],
])("NET-12: of '%s' host %s and port %i are told", (url, host, port) => {
  expect(askedFor(url)).toEqual({ host, port });
});

test("NET-5: 'git+pkg' stands for where repositories and packages come from, 'none' for nothing", () => {
  const hosts = [
    "github.com",
    "codeload.github.com",
    "gitlab.com",
    "registry.npmjs.org",
    "pypi.org",
    "index.crates.io",
  ];
  for (const host of hosts) {
    expect(new AllowedHosts("git+pkg").refusalOf({ host, port: 443 })).toBeUndefined();
    expect(new AllowedHosts("none").refusalOf({ host, port: 443 })).toMatch(/nothing is allowed/);
  }
  expect(new AllowedHosts("git+pkg").refusalOf({ host: "gist.github.com", port: 443 })).toMatch(/and \d+ more/);
});
