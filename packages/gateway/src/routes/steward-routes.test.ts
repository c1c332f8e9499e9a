import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, type TempGateway, tempGateway } from "../testing/temp-gateway.ts";

const KEY = "sk-a-key-that-nobody-may-see-1234";
const lines: string[] = [];
let stage: TempGateway;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  stage = await tempGateway(["ada", "bob"], { log: { write: (line) => lines.push(line) } });
  [ada, bob] = [await stage.signIn("ada"), await stage.signIn("bob")];
});
afterAll(() => stage.close());

const post = (url: string, payload: object, headers: Record<string, string> = ada.console) =>
  stage.ask({ method: "POST", url, headers, payload });

test("WEB-42: the owner connects a provider, chooses a model for each role, tests it, and disconnects it", async () => {
  const connected = await post("/api/models/providers", { id: "anthropic", kind: "anthropic", key: KEY });
  expect(connected.json()).toMatchObject({ connected: [{ id: "anthropic", key_end: "1234", kind: "anthropic" }] });
  const wanted = { provider: "anthropic", model: "m" };
  const chosen = await post("/api/models/roles/director", wanted);
  expect(chosen.json()).toMatchObject({ chosen: { associate: null, director: wanted } });
  expect((await post("/api/models/test", wanted)).json()).toEqual({ ok: true, ms: 1, message: "" });
  expect((await post("/api/models/test", { provider: "deaf", model: "m" })).json()).toMatchObject({ ok: false });
  const gone = { method: "DELETE", url: "/api/models/providers/anthropic", headers: ada.console } as const;
  expect((await stage.ask(gone)).json()).toMatchObject({ connected: [] });
  const again = await stage.ask(gone);
  expect([again.statusCode, again.json().detail]).toEqual([422, "no provider 'anthropic' is connected"]);
});

test("WEB-42: what can't be understood is refused with what is wanted, and changes nothing", async () => {
  for (const payload of [
    { id: "Ant hropic", kind: "anthropic" },
    { id: "x", kind: "carrier-pigeon" },
    { id: "x", kind: "openai-compatible", base_url: "file:///etc/passwd" },
    { id: "x", kind: "anthropic", more: 1 },
  ])
    expect((await post("/api/models/providers", payload)).statusCode).toBe(400);
  expect((await post("/api/models/roles/king", { provider: "no", model: "m" })).statusCode).toBe(400);
  expect((await post("/api/models/roles/director", { provider: "no", model: "m" })).statusCode).toBe(422);
});

test("WEB-42: policy is read and changed as the text that it is; one that can't be read is refused with its line", async () => {
  const read = async () => (await stage.ask({ url: "/api/policy", headers: ada.console })).json();
  const { version } = await read();
  const changed = await post("/api/policy", { text: 'allow = ["network example.org"]\n', was: version });
  expect(changed.json()).toMatchObject({ text: 'allow = ["network example.org"]\n', usual: "allow = []\n" });
  const refused = await post("/api/policy", { text: "?", was: changed.json().version });
  expect([refused.statusCode, refused.json().detail]).toEqual([422, "line 1: there is no 'allow'"]);
  expect(await read()).toEqual(changed.json());
});

test("WEB-42: a change of policy is answered with what was written, also where another follows at once", async () => {
  const { version } = (await stage.ask({ url: "/api/policy", headers: ada.console })).json();
  const changed = await post("/api/policy", { text: "allow = [] # soon another\n", was: version });
  expect(changed.json().text).toBe("allow = [] # soon another\n");
});

test("WEB-42: policy that is written over another one than was read is refused, and changes nothing", async () => {
  const { text, version } = (await stage.ask({ url: "/api/policy", headers: ada.console })).json();
  const first = await post("/api/policy", { text: `${text}# first\n`, was: version });
  const second = await post("/api/policy", { text: `${text}# second\n`, was: version });
  expect([second.statusCode, second.json().title]).toEqual([409, "It was changed meanwhile"]);
  expect((await post("/api/policy", { text: "allow = []\n" })).statusCode).toBe(400); // it doesn't say what it had read
  expect((await stage.ask({ url: "/api/policy", headers: ada.console })).json()).toEqual(first.json());
});

test("WEB-43: no desk, no member, and no page but the console's own sees models or policy, or changes them", async () => {
  const { "x-choir-token": _, ...withoutToken } = ada.console;
  const routes = stage.app.entrances.filter(({ url }) => /^\/api\/(models|policy)/.test(url));
  expect(routes.length).toBeGreaterThan(6);
  for (const { method, url } of routes) {
    const asks = async (headers: Record<string, string>) => {
      const target = url.replace(":provider", "x").replace(":role", "director");
      return (await stage.ask({ method: method as "GET", url: target, headers })).statusCode; // as it was registered
    };
    expect([await asks(ada.desk), await asks(bob.console), await asks(bob.desk)], url).toEqual([404, 404, 404]);
    expect([await asks(withoutToken), await asks({ host: ada.console.host })], url).toEqual([403, 401]);
  }
});

test("S6: a key that is connected comes out by no answer and no line of the log, but for its last four characters", async () => {
  const answers = [
    await post("/api/models/providers", { id: "other", kind: "openai-compatible", key: KEY }),
    await post("/api/models/providers", { id: "", kind: "anthropic", key: KEY }),
    await post("/api/models/providers", { id: "x", kind: KEY, key: KEY }),
    await stage.ask({ url: "/api/models", headers: ada.console }),
  ];
  const all = [...answers.map(({ body }) => body), ...lines, ...stage.reports.map(String)].join("\n");
  expect(all).not.toContain(KEY);
  expect(all).toContain("1234");
});
