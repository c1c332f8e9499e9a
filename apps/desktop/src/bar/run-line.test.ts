import { expect, test } from "vitest";
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
