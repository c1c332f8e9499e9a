import { afterAll, beforeAll, expect, test } from "vitest";
import { type TempGateway, tempGateway } from "../testing/temp-gateway.ts";

interface Described {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}
interface Document {
  readonly components: Readonly<Record<"schemas" | "securitySchemes", Readonly<Record<string, object>>>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

let stage: TempGateway;
let document: Document;

beforeAll(async () => {
  stage = await tempGateway(["ada"]);
  const { console } = await stage.signIn("ada");
  document = (await stage.ask({ url: "/api/openapi.json", headers: console })).json();
});
afterAll(() => stage.close());

test("WEB-33: the document has every route but pages, itself, and what only asks for a head", () => {
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = stage.app.entrances
    .filter(({ method, url }) => method !== "HEAD" && url !== "/*" && url !== "/api/openapi.json")
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, "{$1}").replace("*", "{*}")}`);
  expect(described.filter((line) => !line.startsWith("HEAD ")).toSorted()).toEqual(routes.toSorted());
});

test("WEB-33: every route says what it needs, and what a refusal looks like", () => {
  const known = Object.keys(document.components.securitySchemes);
  const open: string[] = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, { responses, security = [] }] of Object.entries(item)) {
      expect(responses.default?.content).toHaveProperty(["application/problem+json"]);
      for (const needed of security) expect(known).toEqual(expect.arrayContaining(Object.keys(needed)));
      if (security.length === 0) open.push(`${method} ${path}`);
    }
  expect(open.toSorted()).toEqual([
    "get /api/health",
    "get /api/me",
    "get /metrics",
    "post /api/auth/link",
    "post /api/auth/sign-in/username",
    "post /api/link",
  ]);
});

test.each([
  ["post", "/api/auth/sign-in/username", "application/json"],
  ["post", "/api/auth/password", "application/json"],
  ["put", "/api/computers/{computer}/file/{*}", "application/octet-stream"],
  ["post", "/api/computers/import", "application/octet-stream"],
])("WEB-33: it says what %s %s takes", (method, path, type) => {
  expect(document.paths[path]?.[method]?.requestBody?.content).toHaveProperty([type]);
});

test("WEB-33: it has the messages of the socket", () => {
  expect(document.components.schemas).toMatchObject({
    SocketFromClient: { anyOf: expect.anything() },
    SocketFromServer: { anyOf: expect.anything() },
    SocketHello: { required: ["computer", "from", "hello", "token"] },
  });
});
