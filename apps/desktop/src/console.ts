import { UserId } from "@choiros/contract";
import { z } from "zod";
import type { Grant } from "./reading.ts";

const Said = z.object({
  choir: z.discriminatedUnion("type", [
    z.object({ computer: UserId, token: z.string(), type: z.literal("token") }),
    z.object({ type: z.literal("ping") }),
  ]),
});

const opened = new URLSearchParams(location.hash.slice(1));
const origin = opened.get("console");

/** As the console looks; without a word about it, as the system does. */
export function followTheme(): void {
  document.documentElement.dataset.theme = opened.get("theme") ?? "system";
}

/**
 * Asks the console around this page for a token, hears each new one, and answers when asked whether it is there. Which origin that is stands in the address it
 * opened us with; nobody else can put a frame around this page, for the server forbids it.
 */
export function awaitTokens(onToken: (grant: Grant) => void): void {
  if (origin === null || parent === window) return;
  addEventListener("message", (message) => {
    if (message.origin !== origin || message.source !== parent) return;
    const said = Said.safeParse(message.data).data?.choir;
    if (said?.type === "ping") say("pong");
    if (said?.type === "token") onToken(said);
  });
  sayHello();
}

/** The console answers with a token: the one it gave, or a new one where that is over. */
export function sayHello(): void {
  say("hello");
}

function say(type: "hello" | "pong"): void {
  if (origin !== null) parent.postMessage({ choir: { type } }, origin);
}
