import type { Json } from "@choiros/contract";
import { expect, test, vi } from "vitest";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice } from "../desk/notices.ts";
import { Watched } from "../watched.ts";
import { runLine } from "./run-line.ts";

test("DESK-44: a line for a shell waits for the connection, and is said to run once there is one", async () => {
  const told: string[] = [];
  const tell = ({ text }: NewNotice) => void told.push(text);
  const connection = new Watched("lost");
  const api = {
    connection,
    notify(notice: NewNotice) {
      tell(notice);
      return { replace: tell, dismiss: () => {} };
    },
    async run() {
      await connection.when("live");
      return { ok: true, call: "c", changed: 0, exit: 0, how: "exit", notes: [], seq: 1 };
    },
  } as unknown as DeskApi; // as far as it is used
  const running = runLine(api, "ls");
  expect(told).toEqual(["“ls” waits for the connection"]);
  connection.set("live");
  await running;
  connection.set("lost");
  expect(told).toEqual(["“ls” waits for the connection", "“ls” is running", "“ls” is done"]);
});

test("DESK-100: the notice of a line has what it wrote last while it runs, and leads to all of it by its call", async () => {
  const told: NewNotice[] = [];
  const opened: unknown[] = [];
  const over = Promise.withResolvers<void>();
  const wrote = Promise.withResolvers<void>();
  const api = {
    connection: new Watched("live"),
    events: async ({ cause }: { cause: Json }, { onItem }: { onItem(moment: Json): void }) =>
      onItem({ event: { seq: 7, cause } }),
    notify(notice: NewNotice) {
      told.push(notice);
      return {
        replace(next: NewNotice) {
          told.push(next);
          if (next.detail !== undefined) wrote.resolve();
        },
        dismiss: () => {},
      };
    },
    later: () => ({ open: (...words: unknown[]) => opened.push(words) }),
    async run(_: string, { call, onOutput }: { call: string; onOutput(bytes: Uint8Array): void }) {
      onOutput(new TextEncoder().encode("1\n2\n3\n4\n5\n"));
      await over.promise;
      return { ok: true, call, changed: 0, exit: 0, how: "exited", notes: [], seq: 9 };
    },
  } as unknown as DeskApi; // as far as it is used
  const running = runLine(api, "seq 5");
  await wrote.promise;
  const detail = "…\n2\n3\n4\n5";
  expect(told.at(-1)).toMatchObject({ detail, progress: "unknown", action: { label: "Stop" } });
  over.resolve();
  await running;
  expect(told.at(-1)).toMatchObject({ text: "“seq 5” is done", detail, show: { label: "Show" } });
  told.at(-1)?.show?.run();
  await vi.waitFor(() => expect(opened).toEqual([["timeline", { seq: 7 }]]));
});

test("DESK-100: a line that is stopped where it was called is told as that, and nothing of it goes on in the taskbar", async () => {
  const told: NewNotice[] = [];
  const api = {
    connection: new Watched("live"),
    notify(notice: NewNotice) {
      told.push(notice);
      return { replace: (next: NewNotice) => told.push(next) };
    },
    run: (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  } as unknown as DeskApi; // as far as it is used
  const running = runLine(api, "sleep 9");
  told[0]?.action?.run();
  await running;
  expect(told.at(-1)).toEqual({ text: "“sleep 9” was stopped", kind: "wrong" });
});
