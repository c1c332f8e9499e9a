import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DeskApi } from "../../desk/api.ts";
import type { NewNotice } from "../../desk/notices.ts";
import { Problem, Unanswered } from "../../desk/problem.ts";
import type { Outcome } from "../../desk/shapes.ts";
import type { Connection } from "../../desk/socket.ts";
import type { Writing } from "../../desk/web.ts";
import { Watched } from "../../watched.ts";
import { type Transfer, transfers } from "./moving.ts";
import { upload } from "./uploads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DONE: Outcome = { ok: true, call: "c", changed: 1, notes: [], seq: 1 };

/** A desk that takes files as `take` says, and remembers what it told. */
function fakeDesk(take: (key: string, writing: Writing, time: number) => Promise<Outcome>) {
  const told: NewNotice[] = [];
  const asked: { key: string; id: string | undefined; call: string | undefined }[] = [];
  const connection = new Watched<Connection>("live");
  const desk = {
    connection,
    files: {
      write(key: string, _: Blob, writing: Writing) {
        const time = asked.push({ key, id: writing.id, call: writing.call });
        return take(key, writing, time);
      },
    },
    notify: (notice: NewNotice) => told.push(notice),
  } as unknown as DeskApi; // as far as an upload uses it
  return { desk, connection, asked, texts: () => told.map(({ text }) => text), told };
}

const planOf = (...names: readonly string[]) => ({
  folders: [],
  files: names.map((name) => ({ key: `workspace/${name}`, file: new File(["bytes"], name) })),
  tops: [],
});

const broken = () => Promise.reject(new TypeError("the server can't be reached"));

async function uploaded(desk: DeskApi, ...names: readonly string[]): Promise<void> {
  const over = upload(desk, planOf(...names), "workspace");
  await vi.runAllTimersAsync();
  await over;
}

test("FILES-10: a file that can't come in is named with why, and the others come", async () => {
  const { desk, told } = fakeDesk(async (key) => {
    if (key.endsWith("large.iso")) throw new Problem("Too large", "an upload has at most 1 MB here.", 413);
    if (key.endsWith("odd")) throw new Problem("Bad request", "that is no name", 400);
    return key.endsWith("taken") ? { ok: false, reason: "conflict", message: "It is there already." } : DONE;
  });
  await uploaded(desk, "a", "large.iso", "taken", "odd", "b", "c");
  expect(told[0]).toMatchObject({
    text: "large.iso wasn't uploaded: an upload has at most 1 MB here.",
    detail: "taken wasn't uploaded: It is there already. odd wasn't uploaded: that is no name",
  });
  expect(told[1]?.text).toBe("Uploaded 3 of 6 files to workspace");
});

test("FILES-10: of a file whose name is too long the name is said once, and cut", async () => {
  const name = `${"n".repeat(260)}.txt`;
  const { desk, texts } = fakeDesk(async (key) =>
    key.endsWith("b") ? DONE : { ok: false, reason: "invalid", message: `${name} has a name that is too long` },
  );
  await uploaded(desk, name, "b");
  expect(texts()[0]).toBe(`${"n".repeat(14)}…${"n".repeat(6)}.txt wasn't uploaded: it has a name that is too long`);
  const long = fakeDesk(async () => DONE);
  await uploaded(long.desk, "x".repeat(255));
  expect(long.texts()).toEqual([`Uploaded ${"x".repeat(14)}…${"x".repeat(10)} to workspace`]);
});

test("FILES-10: where the server has no room, it ends, and says what came", async () => {
  const full = new Problem("The disk is full", "The server's disk is full. Make room there, and try again.", 507);
  const { desk, asked, texts } = fakeDesk((_, __, time) => (time < 3 ? Promise.resolve(DONE) : Promise.reject(full)));
  await uploaded(desk, "a", "b", "c", "d", "e", "f", "g");
  expect(texts()).toEqual([full.message, "Uploaded 2 of 7 files to workspace"]);
  expect(asked.length).toBeLessThan(7);
});

test("FILES-10: where the connection breaks, a file is sent again when it is back, under the same id", async () => {
  const { desk, asked, connection, texts } = fakeDesk(async (_, __, time) => (time === 1 ? broken() : DONE));
  const over = upload(desk, planOf("a"), "workspace");
  connection.set("lost");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(1);
  connection.set("live");
  await over;
  expect(asked.length).toBe(2);
  expect(asked[1]).toEqual(asked[0]);
  expect(texts()).toEqual(["Uploaded a to workspace"]);
});

test("FILES-10: a file that breaks off again and again is given up, and the next one comes", async () => {
  const { desk, texts } = fakeDesk(async (key) => (key.endsWith("/a") ? broken() : DONE));
  await uploaded(desk, "a", "b");
  expect(texts()).toEqual([
    "a wasn't uploaded: the connection breaks off each time. Try again later.",
    "Uploaded 1 of 2 files to workspace",
  ]);
});

test("FILES-10: stopped, it tells no failure, and what came stays", async () => {
  const { desk, texts } = fakeDesk(async (key, { signal }) => {
    if (key.endsWith("/a")) return DONE;
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
  const over = upload(desk, planOf("a", "b", "c"), "workspace");
  await vi.advanceTimersByTimeAsync(100);
  const [transfer] = transfers.get();
  expect(transfer).toMatchObject({ way: "up", files: 1, count: 3, bytes: 5, total: 15 } satisfies Partial<Transfer>);
  transfer?.stop();
  await over;
  expect(texts()).toEqual(["Uploaded 1 of 3 files to workspace"]);
  expect(transfers.get()).toEqual([]);
});

/** Stops it when the first of its answers is waited for, which breaks off then. */
async function stoppedUnanswered(then: () => Promise<Outcome>) {
  const first = Promise.withResolvers<Outcome>();
  const { desk, asked, connection, texts } = fakeDesk((_, { signal }, time) => {
    if (time === 1) return first.promise;
    expect(signal?.aborted).toBe(false);
    return then();
  });
  const over = upload(desk, planOf("a"), "workspace");
  await vi.advanceTimersByTimeAsync(100);
  transfers.get()[0]?.stop();
  first.reject(new Unanswered());
  return { asked, connection, over, texts };
}

test("FILES-10: stopped, what was sent and not answered is asked for again under its id, when the line is back", async () => {
  let isAway = true;
  const { asked, connection, over, texts } = await stoppedUnanswered(() => (isAway ? broken() : Promise.resolve(DONE)));
  connection.set("lost");
  await vi.advanceTimersByTimeAsync(5000);
  isAway = false;
  connection.set("live");
  await over;
  expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
  expect(texts()).toEqual(["Uploaded a to workspace"]);
});

test("FILES-10: where it can't be had whether what was sent came in, that is said", async () => {
  const away = await stoppedUnanswered(broken);
  away.connection.set("lost");
  await vi.runAllTimersAsync();
  await away.over;
  expect(away.texts()).toEqual(["It isn't known whether a came in."]);
  const breaking = fakeDesk(() => Promise.reject(new Unanswered()));
  await uploaded(breaking.desk, "b");
  expect(breaking.texts()).toEqual(["It isn't known whether b came in."]);
});

test("FILES-10: stopped, what the server refuses of what was sent is told all the same", async () => {
  const full = new Problem("The disk is full", "The server's disk is full.", 507);
  const { over, texts } = await stoppedUnanswered(() => Promise.reject(full));
  await over;
  expect(texts()).toEqual([full.message, "The upload was stopped. Nothing came in."]);
});
