import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import { offered } from "./live/offered.ts";
import { OPERATIONS } from "./operations/index.ts";
import { consoleOf } from "./testing/live-client.ts";
import { liveGateway } from "./testing/temp-live.ts";

/** What leads to something that is there, to something that isn't, and what is no key at all. */
const NO_KEYS = [
  ...["..", "../..", "../bob", "../nobody", "../../../../../etc/passwd", "../../../../../etc/none", "/etc/passwd"],
  ...["workspace/../../bob", "workspace/..", "workspace/.", ".", "./workspace", "workspace//a", "workspace/", "/"],
  ...["workspace/a\0b", "\0", "workspace///2e//2e/a", "workspace/\ud800"],
];

const command = { argv: ["true"], egress: "none", env: {}, keep: false, limits: {}, reads: false };

/** How each operation that takes a key is asked, over the socket and over HTTP. */
const TAKERS: Readonly<Record<string, { asked: (key: string) => object[]; http?: (key: string) => Asked[] }>> = {
  add: { asked: (to) => [{ folder: "x", to }] },
  arrange: {
    asked: (key) => [
      ...[{ remove: { key } }, { folder: { key } }, { file: { key } }].map((deed) => ({ deeds: [deed] })),
      ...[
        { from: key, to: "workspace/b" },
        { from: "workspace/b", to: key },
      ].flatMap((way) => [{ deeds: [{ move: way }] }, { deeds: [{ copy: way }] }]),
    ],
  },
  attend: { asked: (key) => [{ paths: ["workspace/b", key], text: "look" }] },
  cat: { asked: (key) => [{ key }], http: (key) => inPath("GET", key) },
  diff: {
    asked: (key) => [{ from: 1, key, lines: false }],
    http: (key) => [{ method: "GET", path: `diff?${new URLSearchParams({ from: "1", key })}` }],
  },
  events: {
    asked: (key) => [{ key }],
    http: (key) => [{ method: "GET", path: `events?${new URLSearchParams({ key })}` }],
  },
  exec: { asked: (cwd) => [{ ...command, cwd }], http: (cwd) => [{ path: "exec", payload: { argv: ["true"], cwd } }] },
  files: {
    asked: (key) => [{ key }, { deep: false, key }],
    http: (key) => [{ method: "GET", path: `files?${new URLSearchParams({ key })}` }],
  },
  history: {
    asked: (key) => [{ key }],
    http: (key) => [{ method: "GET", path: `history?${new URLSearchParams({ key })}` }],
  },
  restore: { asked: (key) => [{ at: 1, key }], http: (key) => [{ path: "restore", payload: { at: 1, key } }] },
  rm: {
    asked: (key) => [{ key }],
    http: (key) => [{ path: "remove", payload: { key } }, ...inPath("DELETE", key)],
  },
  say: { asked: (key) => [{ paths: ["workspace/b", key], text: "look" }] },
  write: { asked: (key) => [{ key }], http: (key) => inPath("PUT", key) },
};

/** These two are taken away by whoever asks, as parts of an address. */
function inPath(method: "GET" | "PUT" | "DELETE", key: string): Asked[] {
  return key === "." || key === ".." ? [] : [{ method, path: `file/${encodeURIComponent(key)}` }];
}

interface Asked {
  readonly method?: "GET" | "PUT" | "DELETE";
  readonly path: string;
  readonly payload?: object;
}

test("WEB-8: every operation that takes a key is in the list that is tried here, and takes no such key", () => {
  const takers = [...OPERATIONS.values()].filter(({ request }) => {
    const fields = "shape" in request ? Object.keys(Object(request.shape)) : [];
    const isWay = fields.includes("to") && !fields.includes("from"); // else it is a number
    return isWay || fields.some((field) => ["cwd", "deeds", "key", "paths"].includes(field));
  });
  expect(takers.map(({ name }) => name).sort()).toEqual(Object.keys(TAKERS).sort());
  for (const { name, request } of takers) {
    const { asked = () => [] } = TAKERS[name] ?? {};
    for (const one of asked("workspace/a")) expect(request.safeParse(one).success, name).toBe(true);
    for (const key of NO_KEYS)
      for (const one of asked(key)) expect(request.safeParse(one).success, `${name} ${key}`).toBe(false);
  }
});

test("WEB-8: over HTTP no such key is looked up: the answer is the same, whatever stands there", async () => {
  const gateway = await liveGateway();
  await gateway.accounts.add("bob", "member");
  await gateway.computer("bob");
  const { cookie, token } = await gateway.signIn("ada");
  const headers = { cookie, host: new URL(gateway.sites.console).host, "x-choir-token": token };
  for (const [name, { http = () => [] }] of Object.entries(TAKERS)) {
    const answers = new Set<string>();
    for (const { method = "POST", path, payload } of NO_KEYS.filter((key) => key.isWellFormed()).flatMap(http)) {
      const url = `/api/computers/ada/${path}`;
      const answer = await gateway.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
      answers.add(`${answer.statusCode} ${answer.json().title}`);
    }
    expect([...answers], name).toEqual(TAKERS[name]?.http === undefined ? [] : ["400 Bad request"]);
  }
  expect(gateway.reports).toEqual([]);
});

test("WEB-8: nor over the socket", async () => {
  const gateway = await liveGateway();
  const client = await consoleOf(gateway, await gateway.signIn("ada"), "ada");
  for (const [name, { asked }] of Object.entries(TAKERS)) {
    if (offered(name) === undefined) continue;
    const details = new Set<unknown>();
    for (const request of NO_KEYS.filter((one) => one.isWellFormed()).flatMap(asked)) {
      const id = newId();
      client.say({ do: name, id, request });
      const answer = await client.answer(id);
      details.add("problem" in answer ? answer.problem.detail : answer);
    }
    expect(
      [...details].filter((detail) => !String(detail).includes("is no key")),
      name,
    ).toEqual([]);
  }
  const { seq } = await (await gateway.computer("ada")).log.head();
  expect(seq).toBe(1);
});
