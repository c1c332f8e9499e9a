import { expect, test } from "vitest";
import { refusalOf } from "./address.ts";

test.each([
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["::1", "loopback"],
  ["0.0.0.0", "reserved"],
  ["0.1.2.3", "reserved"],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["169.254.169.254", "link-local"],
  ["100.64.0.1", "carrier"],
  ["100.100.100.200", "carrier"],
  ["168.63.129.16", "metadata"],
  ["192.0.0.192", "reserved"],
  ["192.0.2.1", "reserved"],
  ["192.88.99.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["198.51.100.7", "reserved"],
  ["203.0.113.7", "reserved"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
  ["::", "not a public"],
  ["::ffff:127.0.0.1", "public|loopback"],
  ["::ffff:8.8.8.8", "not a public"],
  ["::ffff:a9fe:a9fe", "not a public"],
  ["::127.0.0.1", "not a public"],
  ["::ffff:0:127.0.0.1", "not a public"],
  ["64:ff9b::7f00:1", "not a public"],
  ["64:ff9b::808:808", "not a public"],
  ["64:ff9b:1::a00:1", "not a public"],
  ["100::1", "not a public"],
  ["2001::7f00:1", "not a public"],
  ["2001:db8::1", "not a public"],
  ["2002:7f00:1::", "not a public"],
  ["3fff::1", "not a public"],
  ["5f00::1", "not a public"],
  ["fc00::1", "not a public"],
  ["fd00:ec2::254", "not a public"],
  ["fe80::1", "not a public"],
  ["fec0::1", "not a public"],
  ["ff02::1", "not a public"],
])("NET-7: %s is refused as %s", (address, kind) => {
  expect(refusalOf(address, false)).toMatch(new RegExp(kind));
});

test.each(["1.1.1.1", "8.8.8.8", "140.82.121.4", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"])(
  "NET-7: %s is public",
  (address) => {
    expect(refusalOf(address, false)).toBeUndefined();
  },
);

test("NET-8: the switch for tests lets loopback through, and nothing else", () => {
  for (const address of ["127.0.0.1", "::1"]) expect(refusalOf(address, true)).toBeUndefined();
  for (const address of ["10.0.0.1", "169.254.169.254", "0.0.0.0", "::", "fe80::1"]) {
    expect(refusalOf(address, true)).toBeDefined();
  }
});

test("NET-7: a public address is refused where it is the machine's own", () => {
  expect(refusalOf("140.82.121.4", false, ["127.0.0.1", "140.82.121.4"])).toMatch(/this machine's own/);
  expect(refusalOf("140.82.121.4", false, ["127.0.0.1", "140.82.121.5"])).toBeUndefined();
});
