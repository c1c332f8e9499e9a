import type { DraftRequest } from "@choiros/contract/frame";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DeskApi } from "../../desk/api.ts";
import { Watched } from "../../watched.ts";
import { Drafts } from "./drafts.ts";
import { Session } from "./session.ts";
import { PLAIN } from "./text-file.ts";

beforeEach(() => {
  vi.stubGlobal("document", new EventTarget());
  for (const name of ["addEventListener", "removeEventListener"]) vi.stubGlobal(name, () => {});
});
afterEach(() => void vi.unstubAllGlobals());

/** A file that is taken away after this was typed over it. */
async function taken(typed: string) {
  const asked: DraftRequest["do"][] = [];
  const said: string[] = [];
  let changed = () => {};
  const files = {
    read: async () => undefined,
    watch: (_key: string, heard: () => void) => {
      changed = heard;
      return () => {};
    },
    write: async () => ({ ok: true, call: "c", changed: 1, notes: [], seq: 2 }),
  };
  const say = (text: string) => void said.push(text);
  const desk = { connection: new Watched("live"), files, notifyDone: say } as unknown as DeskApi; // as far as it is used here
  const drafts = new Drafts(async (request) => {
    asked.push(request.do);
    return { ok: true, drafts: [] };
  });
  const version = { hash: "a".repeat(64), text: "saved\n" };
  const session = new Session(desk, drafts, { key: "workspace/gone.md", version, writing: PLAIN, left: [] });
  session.attach({ text: () => typed, apply: () => {}, mark: () => {}, goTo: () => {} });
  changed();
  await vi.waitFor(() => expect(session.state.get().gone).toBe(true));
  return { asked, said, session };
}

test("EDIT-4: where nothing was typed into a file that is taken away, nothing is kept, and it closes without a word", async () => {
  const { asked, said, session } = await taken("saved\n");
  expect(session.state.get().saving).toBe("shown");
  expect([await session.close(), asked, said]).toEqual([true, [], []]);
  session.end();
});

test("EDIT-4: what was typed into a file that is gone by then makes it again when it is closed, and that is said", async () => {
  const { said, session } = await taken("saved, and more\n");
  expect(session.state.get().saving).toBe("typed");
  expect(await session.close()).toBe(true);
  expect(said).toEqual(["gone.md was gone; what you typed made it again"]);
  session.end();
});
