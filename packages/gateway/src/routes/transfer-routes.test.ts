import { mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Person, type TempGateway, tempGateway } from "../testing/temp-gateway.ts";

let stage: TempGateway;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  stage = await tempGateway(["ada", "bob"]);
  [ada, bob] = [await stage.signIn("ada"), await stage.signIn("bob")];
  await (await stage.computer("ada")).write("workspace/a", Buffer.from("mine"));
  mkdirSync(join(stage.folder, "tmp"));
  vi.stubEnv("TMPDIR", join(stage.folder, "tmp"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stage.close();
});

/** What lies in the folder for the meantime, which is this test's alone. */
const left = () => readdirSync(tmpdir());
const importing = (payload: Buffer, person: Person) =>
  stage.ask({ method: "POST", url: "/api/computers/import?name=Copy", headers: person.console, payload });

test("WEB-20: what one exports another can import, as a new computer of theirs; nothing stays between", async () => {
  const before = left();
  const file = await stage.ask({ url: "/api/computers/ada/export", headers: ada.console });
  expect(file.headers).toMatchObject({ "content-disposition": 'attachment; filename="ada.choir"', "x-missing": "0" });
  expect(file.headers["content-length"]).toBe(String(file.rawPayload.length));
  const made = await importing(file.rawPayload, bob);
  expect(made.statusCode).toBe(201);
  const { computer } = made.json();
  expect(computer).toMatchObject({ account: "bob", name: "Copy" });
  const read = await stage.ask({ url: `/api/computers/${computer.id}/file/workspace/a`, headers: bob.console });
  expect(read.body).toBe("mine");
  const others = await stage.ask({ url: `/api/computers/${computer.id}/file/workspace/a`, headers: ada.console });
  expect(others.statusCode).toBe(404);
  expect(left()).toEqual(before);
});

test("WEB-20: what can't be imported makes no computer, and no word of where it lay", async () => {
  const before = left();
  const answer = await importing(Buffer.from("no export at all"), bob);
  expect(answer.statusCode).toBe(422);
  expect(answer.body).not.toContain(tmpdir());
  const { computers } = (await stage.ask({ url: "/api/me", headers: bob.console })).json();
  expect(computers.length).toBe(2); // his own, and the one above
  expect(left()).toEqual(before);
});

test("WEB-20: neither is a desk's to do", async () => {
  expect((await stage.ask({ url: "/api/computers/ada/export", headers: ada.desk })).statusCode).toBe(403);
  const url = "/api/computers/import?name=x";
  expect((await stage.ask({ method: "POST", url, headers: ada.desk })).statusCode).toBe(404);
});

test("WEB-21: the owner lets people in, gives them links, and removes them; where their computers went is said", async () => {
  const ask = (method: "GET" | "POST" | "DELETE", path: string, payload?: object) =>
    stage.ask({ method, url: `/api/users${path}`, headers: ada.console, ...(payload && { payload }) });
  expect((await ask("POST", "", { name: "Cleo" })).json()).toMatchObject({ id: "cleo", role: "member" });
  expect((await ask("POST", "", { name: "cleo" })).statusCode).toBe(422);
  const { link } = (await ask("POST", "/cleo/link")).json();
  expect(link).toMatch(/^http:\/\/choir\.localhost:\d+\/#link=/);
  const { exported } = (await ask("DELETE", "/cleo")).json();
  expect(exported).toEqual(["cleo.choir"]);
  expect((await ask("GET", "")).json().map(({ id }: { id: string }) => id)).toEqual(["ada", "bob"]);
  expect((await ask("DELETE", "/cleo")).statusCode).toBe(404);
});

test("WEB-21: the only owner stays", async () => {
  const answer = await stage.ask({ method: "DELETE", url: "/api/users/ada", headers: ada.console });
  expect([answer.statusCode, answer.json().detail]).toEqual([422, expect.stringContaining("only owner")]);
});

test("ACC-6: a computer that never came to be is taken out again, and one that has a folder isn't", async () => {
  const { id } = await stage.accounts.addComputer("bob", "none");
  expect(await stage.accounts.dropComputer(id)).toBe(true);
  expect(await stage.accounts.holder(id)).toBeUndefined();
  expect(await stage.accounts.dropComputer(id)).toBe(false);
});
