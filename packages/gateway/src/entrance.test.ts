import fc from "fast-check";
import { expect, test } from "vitest";
import { type Asker, type Entrance, judge, type Named } from "./entrance.ts";

const ENTRANCES: readonly Entrance[] = [
  ...(["anywhere", "anyone", "visitor", "session", "console", "owner", "read", "load", "act", "keep"] as const),
];

const user = fc.constantFrom("ada", "bob");
const asker: fc.Arbitrary<Asker> = fc.record({
  site: fc.oneof(
    fc.constant({ is: "console" as const }),
    fc.constant({ is: "door" as const }),
    user.map((computer) => ({ is: "desk" as const, computer })),
  ),
  session: fc.option(fc.record({ id: fc.constant("s"), account: user, owner: fc.boolean() }), { nil: undefined }),
  token: fc.boolean(),
  desk: fc.option(
    fc.record({ computer: user, account: user, by: fc.constantFrom("token" as const, "cookie" as const) }),
    { nil: undefined },
  ),
});
const named: fc.Arbitrary<Named | undefined> = fc.option(
  fc.record({ computer: user, holder: fc.option(user, { nil: undefined }) }),
  { nil: undefined },
);
const entrance = fc.constantFrom(...ENTRANCES);

function property(check: (entrance: Entrance, asker: Asker, named: Named | undefined) => void): void {
  fc.assert(fc.property(entrance, asker, named, check), { numRuns: 3000, seed: 5 });
}

test("IN-1: nobody passes to a computer whose holder they aren't, whatever they bring", () => {
  property((at, who, what) => {
    if (!["read", "load", "act", "keep"].includes(at) || judge(at, who, what) !== "pass") return;
    const account = who.site.is === "desk" ? who.desk?.account : who.session?.account;
    expect(what?.holder).toBeDefined();
    expect(account).toBe(what?.holder);
  });
});

test("IN-2: a desk's credentials reach one computer, on its own desk's site, and never what is for the console alone", () => {
  property((at, who, what) => {
    if (who.site.is !== "desk" || judge(at, who, what) !== "pass") return;
    expect(["anywhere", "anyone", "read", "load", "act"]).toContain(at);
    if (at === "anywhere" || at === "anyone") return;
    expect([who.desk?.computer, what?.computer]).toEqual([who.site.computer, who.site.computer]);
  });
});

test("IN-3: a desk's cookie loads, and does nothing else", () => {
  property((at, who, what) => {
    if (who.site.is !== "desk" || who.desk?.by !== "cookie" || judge(at, who, what) !== "pass") return;
    expect(["anywhere", "anyone", "load"]).toContain(at);
  });
});

test("IN-4: a session without the console's token changes nothing", () => {
  property((at, who, what) => {
    if (who.site.is !== "console" || who.token || judge(at, who, what) !== "pass") return;
    expect(["anywhere", "anyone", "visitor", "session", "read", "load"]).toContain(at);
  });
});

test("IN-5: what is somebody else's and what isn't there get the same verdict", () => {
  property((at, who, what) => {
    const account = who.site.is === "desk" ? who.desk?.account : who.session?.account;
    if (what === undefined || what.holder === account) return;
    expect(judge(at, who, what)).toBe(judge(at, who, { ...what, holder: undefined }));
  });
});

test("IN-6: whoever may do more may also do less", () => {
  property((_, who, what) => {
    const passes = (at: Entrance) => judge(at, who, what) === "pass";
    for (const [more, less] of [
      ["owner", "console"],
      ["console", "session"],
      ["keep", "act"],
      ["act", "read"],
      ["read", "load"],
    ] as const)
      if (passes(more)) expect(passes(less)).toBe(true);
  });
});

test("IN-7: by a name that has no page one learns whether the server is well, and nothing else", () => {
  property((at, who, what) => {
    if (who.site.is !== "door") return;
    expect(judge(at, who, what)).toBe(at === "anywhere" ? "pass" : "missing");
  });
});
