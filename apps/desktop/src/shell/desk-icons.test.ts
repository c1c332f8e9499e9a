import { Info } from "lucide-react";
import { expect, test } from "vitest";
import { everyApp, type Spot, withApps, withKey, withKeys, without } from "./desk-icons.ts";

const app = (id: string, hidden?: true) => ({
  ...{ id, title: id, icon: Info, opens: [], load: () => Promise.reject(new Error("unloaded")) },
  ...(hidden && { hidden }),
});
const FILE: Spot = { key: "workspace/a.md", column: 2, row: 1 };

test("DESK-36: without a layout every app lies on the desktop, column after column, but for hidden ones", () => {
  const list = [app("one"), app("two", true), app("three"), app("four")];
  expect(everyApp(list, { column: 2, row: 2 })).toEqual([
    { app: "one", column: 0, row: 0 },
    { app: "three", column: 0, row: 1 },
    { app: "four", column: 1, row: 0 },
  ]);
});

test("DESK-36: what is put on the desktop lies there once, what is taken off is gone from it alone, and a new name keeps its cell", () => {
  const spots = withKeys([{ app: "files", column: 0, row: 0 }, FILE], ["workspace/a.md", "workspace/b.md"]);
  expect(spots.map((spot) => ("key" in spot ? spot.key : spot.app))).toEqual([
    "files",
    "workspace/a.md",
    "workspace/b.md",
  ]);
  const titled = { ...FILE, title: "A" };
  expect(withKeys([titled, ...spots.slice(2)], ["workspace/a.md"], { column: 5, row: 3 })).toEqual([
    ...spots.slice(2),
    { ...titled, column: 5, row: 3 },
  ]);
  expect(without(spots, FILE)).toHaveLength(2);
  expect(withKey(spots, "workspace/a.md", "workspace/c.md")[1]).toEqual({ ...FILE, key: "workspace/c.md" });
});

test("DESK-36: apps that aren't on the desktop are put there, but for hidden ones; what lies there stays where it is", () => {
  const list = [app("one"), app("two", true), app("three")];
  const spots: Spot[] = [FILE, { app: "three", column: 4, row: 0 }];
  expect(withApps(spots, list)).toEqual([...spots, { app: "one", column: 0, row: 0 }]);
});
