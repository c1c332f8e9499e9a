import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, type TempGateway, tempGateway } from "./testing/temp-gateway.ts";

const USERS = ["ada", "bob", "cleo", "dan", "eve"] as const;
let stage: TempGateway;
let people: Person[];

beforeAll(async () => {
  stage = await tempGateway(USERS);
  people = [];
  for (const user of USERS) {
    await (await stage.computer(user)).write("workspace/x", Buffer.from(`a secret of ${user}`));
    people.push(await stage.signIn(user));
  }
});
afterAll(() => stage.close());

/** What differs between two answers of the same kind: which request it was. */
function shown(answer: { statusCode: number; body: string; headers: Record<string, unknown> }) {
  const { date: _, "x-request-id": __, ...headers } = answer.headers;
  return { status: answer.statusCode, body: answer.body.replace(/urn:request:[^"]+/, ""), headers };
}

function routesWithComputer() {
  return stage.app.entrances.filter(({ url }) => url.includes(":computer"));
}

test("IN-20: what is another's is, to each of five users on every route, the very same as what isn't there", async () => {
  expect(routesWithComputer().length).toBeGreaterThan(8);
  for (const { method, url } of routesWithComputer()) {
    for (const person of people) {
      const look = async (computer: string, headers: Record<string, string>) => {
        const target = url.replace(":computer", computer).replace("*", "workspace/x");
        return shown(await stage.ask({ method: method as "GET", url: target, headers })); // one of the methods it was registered for
      };
      const fromConsole = await look("nobody", person.console);
      expect(fromConsole.status, `${method} ${url}`).toBe(404);
      for (const other of USERS.filter((one) => one !== person.id)) {
        expect(await look(other, person.console), `${method} ${url}`).toEqual(fromConsole);
        const missing = await look("nobody", { ...person.desk });
        expect(await look(other, { ...person.desk })).toEqual(missing);
        expect(missing.status).toBe(404);
      }
    }
  }
}, 120_000);

test("IN-21: on another's desk, and on the desk of nobody's computer, one's own desk token opens nothing", async () => {
  for (const { method, url } of routesWithComputer())
    for (const person of people)
      for (const desk of [...USERS.filter((one) => one !== person.id), "nobody"]) {
        const host = `${desk}-desk.localhost:${stage.port}`;
        const target = url.replace(":computer", desk).replace("*", "workspace/x");
        const answer = await stage.ask({ method: method as "GET", url: target, headers: { ...person.desk, host } });
        expect(answer.statusCode, `${method} ${url} ${person.id} at ${desk}`).toBe(404);
      }
}, 120_000);

test("IN-22: each finds their own computer, and nobody else's, in what they are told of themselves", async () => {
  for (const person of people) {
    const { account, computers } = (await stage.ask({ url: "/api/me", headers: person.console })).json();
    expect([account.id, computers.map(({ id }: { id: string }) => id)]).toEqual([person.id, [person.id]]);
  }
});

test("IN-23: a session of somebody else's can't be ended, nor is it told whether there is one", async () => {
  const [ada, bob] = people as [Person, Person];
  const end = (session: string) =>
    stage.ask({ method: "DELETE", url: `/api/sessions/${session}`, headers: ada.console }).then(shown);
  expect(await end(bob.session)).toEqual(await end("none"));
  expect((await stage.ask({ url: "/api/me", headers: bob.console })).statusCode).toBe(200);
});
