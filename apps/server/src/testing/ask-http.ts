import { type IncomingHttpHeaders, request } from "node:http";

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
}

interface Asking {
  readonly headers?: Record<string, string>;
  /** Sent as JSON, by a POST unless told. */
  readonly body?: unknown;
  readonly method?: string;
}

/** Straight to a loopback address, with the headers given: `fetch` would put in its own Host. */
export function askHttp(
  address: string,
  path: string,
  { headers = {}, body, method = "POST" }: Asking = {},
): Promise<Answer> {
  const { port } = new URL(address);
  const post = { method, headers: { "content-type": "application/json", ...headers } };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers, ...(body !== undefined && post) }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => {
        const { headers } = answer;
        resolve({ status: answer.statusCode ?? 0, body: text, type: headers["content-type"] ?? "", headers });
      });
    });
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** What a browser sends where it has the console open. */
export function consoleAt(address: string): { host: string; origin: string } {
  const host = `choir.localhost:${new URL(address).port}`;
  return { host, origin: `http://${host}` };
}

/** Clicks on a link, and gives the cookie that comes of it; undefined where the link is void. */
export async function signIn(address: string, link: string): Promise<string | undefined> {
  const token = new URL(link).hash.replace("#link=", "");
  const answer = await askHttp(address, "/api/auth/link", { headers: consoleAt(address), body: { token } });
  return answer.headers["set-cookie"]?.map((cookie) => cookie.split(";")[0]).join("; ");
}
