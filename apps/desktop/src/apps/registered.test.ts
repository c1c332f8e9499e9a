import { Box } from "lucide-react";
import { expect, test } from "vitest";
import type { Manifest } from "./app.ts";
import { openerOf } from "./opener.ts";
import { registered } from "./registered.ts";

const app = (id: string, more: Partial<Manifest> = {}): Manifest => ({
  ...{ id, title: id, icon: Box, opens: [], load: () => Promise.reject(new Error("nobody opens it")) },
  ...more,
});
const THERE = [app("a", { opens: ["text/*"] }), app("b", { inMenu: true }), app("c", { hidden: true }), app("d")];

function listed(...apps: Parameters<typeof registered>[1]["apps"]): readonly Manifest[] {
  return registered(THERE, { apps }).apps;
}

test("DESK-25: apps that a computer's list names come first, in its order and with its titles; the others follow", () => {
  expect(listed().map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
  const apps = listed({ id: "d" }, { id: "b", title: "Bee" });
  expect(apps.map(({ id, title }) => `${id} ${title}`)).toEqual(["d d", "b Bee", "a a", "c c"]);
});

test("DESK-25: what isn't to be shown is neither on the desktop nor in its menu, and what was hidden can be shown", () => {
  const [b, c] = listed({ id: "b", shown: false }, { id: "c", shown: true });
  expect(b).toMatchObject({ id: "b", hidden: true });
  expect(b).not.toHaveProperty("inMenu");
  expect(c).not.toHaveProperty("hidden");
  expect(listed({ id: "c" })[0]).toMatchObject({ hidden: true });
});

test("DESK-25: which app opens what is as the list says; of two that say the same, the first", () => {
  expect(openerOf(listed({ id: "d", opens: ["text/*"] }), "a.md", "file")?.id).toBe("d");
  expect(openerOf(listed({ id: "a", opens: [] }), "a.md", "file")).toBeUndefined();
});

test("DESK-22: of a list that names an app which isn't there the rest is used, and the other is known", () => {
  const { apps, missing } = registered(THERE, { apps: [{ id: "notes" }, { id: "d", title: "Dee" }] });
  expect(apps.map(({ title }) => title)).toEqual(["Dee", "a", "b", "c"]);
  expect(missing).toEqual(["notes"]);
});
