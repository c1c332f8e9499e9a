import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { expect, test } from "vitest";
import { askHttp, consoleAt, signIn } from "../testing/ask-http.ts";
import { serve } from "../testing/served-home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";
import { makeCertificate } from "../testing/test-certificate.ts";

keepThreads();

const NAMES = { console_host: "choir.example.com", desk_host: "{computer}-desk.example.net" };
const SAFARI = "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15";

test("DOOR-13: with a certificate both sites are on https, by either loopback address", async () => {
  const home = tempHome();
  makeCertificate(home.path, ["choir.example.com", "*.example.net"]);
  const server = { ...NAMES, port: 0, tls_cert: "cert.pem", tls_key: "key.pem" };
  const { address, link } = await serve(home, { server });
  const { port } = new URL(address);
  expect(link).toMatch(new RegExp(`^https://choir.example.com:${port}/#link=`));
  const ca = readFileSync(join(home.path, "cert.pem"));
  const ask = (host: string, servername: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: `${servername}:${port}` };
      const sent = request({ ca, headers, host, path: "/api/health", port, servername }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on("error", reject).end();
    });
  for (const host of ["127.0.0.1", "::1"]) {
    expect(await ask(host, "choir.example.com")).toBe(200);
    expect(await ask(host, "ada-desk.example.net")).toBe(200);
  }
  await expect(ask("127.0.0.1", "evil.example")).rejects.toThrow("evil.example");
  expect((await choir(home, ["status"])).out).toContain(`Running at https://choir.example.com:${port} `);
});

test("DOOR-14: localhost leads to the console, passes on nothing of the address, and says whether the server is well", async () => {
  const { address } = await serve();
  const { port } = new URL(address);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
    const { status, headers } = await askHttp(address, "/time?at=3", { headers: { host } });
    expect({ status, to: headers.location }).toEqual({ status: 302, to: `http://choir.localhost:${port}/` });
    expect((await askHttp(address, "/api/me", { headers: { host } })).status).toBe(404);
    expect((await askHttp(address, "/api/health", { headers: { host } })).status).toBe(200);
  }
});

test("DOOR-14: Safari signs in at localhost, and reads its computer from the desk at 127.0.0.1", async () => {
  const { address, link } = await serve();
  const { port } = new URL(address);
  const headers = { host: `localhost:${port}`, origin: address, "user-agent": SAFARI };
  const token = new URL(link).hash.replace("#link=", "");
  const entered = await askHttp(address, "/api/auth/link", { headers, body: { token } });
  const cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const me = JSON.parse((await askHttp(address, "/api/me", { headers: { ...headers, cookie } })).body);
  expect(me).toMatchObject({ account: { id: "ada" }, computers: [{ desk: `http://127.0.0.1:${port}` }] });
  const asConsole = { ...headers, cookie, "x-choir-token": me.token };
  const given = await askHttp(address, "/api/computers/ada/desk-token", { headers: asConsole, body: {} });
  const authorization = `Bearer ${JSON.parse(given.body).token}`;
  const desk = { host: `127.0.0.1:${port}`, "user-agent": SAFARI, authorization };
  expect((await askHttp(address, "/api/computers/ada/files", { headers: desk })).status).toBe(200);
  expect((await askHttp(address, "/api/computers/eve/files", { headers: desk })).status).toBe(404);
  const { headers: page } = await askHttp(address, "/", { headers: desk });
  expect(page["content-security-policy"]).toContain(`frame-ancestors http://localhost:${port}`);
  const other = { host: `localhost:${port}`, cookie };
  expect((await askHttp(address, "/api/me", { headers: other })).status).toBe(404); // no other browser has a console there
});

test("DOOR-11: only a trusted proxy is believed on who asks", async () => {
  const public_url = "https://choir.example.com";
  const tries = async (trusted_proxies: string[]) => {
    const server = { ...{ desk_host: NAMES.desk_host, port: 0, public_url }, trusted_proxies };
    const { port } = await serve(tempHome(), { server });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const headers = { host: "choir.example.com", origin: public_url, "x-forwarded-for": `203.0.113.${i}` };
      const body = { username: "ada", password: "not the password" };
      const asked = await askHttp(`http://localhost:${port}`, "/api/auth/sign-in/username", { headers, body });
      statuses.push(asked.status);
    }
    return statuses;
  };
  expect(await tries(["127.0.0.1"])).toEqual([401, 401, 401, 401, 401, 401, 401]);
  expect(await tries([])).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

const own = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

test.skipIf(own === undefined)("DOOR-11: in the clear nobody from elsewhere is heard but the proxy", async () => {
  const answers = async (trusted: string) => {
    const server = {
      ...{ desk_host: NAMES.desk_host, listen: "0.0.0.0", port: 0, public_url: "https://choir.example.com" },
      trusted_proxies: [trusted],
    };
    const { port } = await serve(tempHome(), { server });
    const socket = connect(port, own); // from this very address
    socket.write("GET /api/health HTTP/1.1\r\nHost: choir.example.com\r\nConnection: close\r\n\r\n");
    socket.on("error", () => {}); // how whoever is turned away may hear of it
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await once(socket, "close");
    return text.split("\r\n")[0];
  };
  expect(await answers(own ?? "")).toBe("HTTP/1.1 200 OK");
  expect(await answers("192.0.2.1")).toBe("");
});

test("the link that a start prints signs the owner in", async () => {
  const { address, link } = await serve();
  expect(link.startsWith(`${address}/#link=`)).toBe(true);
  const cookie = (await signIn(address, link)) ?? "";
  const { body } = await askHttp(address, "/api/me", { headers: { ...consoleAt(address), cookie } });
  expect(JSON.parse(body)).toMatchObject({ account: { id: "ada", role: "owner" } });
});
