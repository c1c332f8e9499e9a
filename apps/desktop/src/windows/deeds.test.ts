import { describe, expect, test } from "vitest";
import {
  amend,
  bringToFront,
  close,
  type Deed,
  done,
  frontOf,
  inOrder,
  inTurn,
  open,
  place,
  put,
  showDesktop,
  shownBox,
  toggleMaximised,
  type Windows,
} from "./deeds.ts";

const SCREEN = { w: 1440, h: 812 };
const PHONE = { w: 390, h: 744 };

function opened(...ids: string[]): Windows {
  return openedOn(SCREEN, ids);
}

function openedOn(screen: typeof SCREEN, ids: readonly string[]): Windows {
  return ids.reduce<Windows>((windows, id) => {
    const what = { id, app: "notes", title: id, args: {}, size: { w: 600, h: 400 } };
    return done(windows, open(windows, what, screen));
  }, new Map());
}

function after(windows: Windows, deed: Deed | undefined): Windows {
  if (deed === undefined) throw new Error("nothing would be done");
  return done(windows, deed);
}

describe("windows", () => {
  test("DESK-7: a new window is in front, and closing it leaves the one before", () => {
    const two = opened("a", "b");
    expect(frontOf(two)).toBe("b");
    expect(frontOf(done(two, close(["b"])))).toBe("a");
  });

  test("DESK-7: the one that is brought to the front is over all others, whose order stays", () => {
    const windows = after(opened("a", "b", "c"), bringToFront(opened("a", "b", "c"), "a"));
    expect(inOrder(windows).map(([id]) => id)).toEqual(["b", "c", "a"]);
    expect(bringToFront(windows, "a")).toBeUndefined();
  });

  test("DESK-7: of two with the same height the order is the same everywhere", () => {
    const [a, b] = inOrder(opened("a", "b")).map(([, window]) => ({ ...window, z: 5 }));
    if (a === undefined || b === undefined) throw new Error("there are two");
    expect(inOrder(new Map([["b", b], ["a", a]])).map(([id]) => id)).toEqual(["a", "b"]); // biome-ignore format: in one line
  });

  test("DESK-8: a finished gesture is one change, which also brings to the front", () => {
    const windows = opened("a", "b");
    const box = { x: 5, y: 6, w: 500, h: 300 };
    const deed = place(windows, "a", box, SCREEN);
    expect(deed?.as).toBe("change");
    expect(deed?.changes.length).toBe(1);
    const next = after(windows, deed);
    expect(next.get("a")).toMatchObject({ box, state: "normal" });
    expect(frontOf(next)).toBe("a");
  });

  test("DESK-8: a gesture that ends where it began is no change", () => {
    const windows = opened("a");
    const box = windows.get("a")?.box;
    if (box === undefined) throw new Error("it is there");
    expect(place(windows, "a", box, SCREEN)).toBeUndefined();
    expect(put(windows, "a", "normal")).toBeUndefined();
    expect(amend(windows, "a", { title: "a" })).toBeUndefined();
  });

  test("DESK-1: what was let go over the bottom hangs there, also after it was maximised; what stood is in sight on a lower screen", () => {
    const [low, box] = [
      { w: 1440, h: 600 },
      { x: 5, y: 500, w: 500, h: 400 },
    ];
    const hung = after(opened("a"), place(opened("a"), "a", box, SCREEN));
    const large = after(hung, put(hung, "a", "maximised"));
    const back = after(large, put(large, "a", "normal"));
    for (const windows of [hung, back]) expect(shownBox(one(windows, "a"), low)).toEqual(box);
    const raised = after(hung, place(hung, "a", { ...box, y: 300 }, SCREEN));
    expect(shownBox(one(raised, "a"), low)).toEqual({ ...box, y: 200 });
  });

  test("DESK-9: what was maximised or snapped comes back to where it had been", () => {
    const windows = opened("a");
    const before = shownBox(one(windows, "a"), SCREEN);
    const large = after(windows, toggleMaximised(windows, "a"));
    expect(shownBox(one(large, "a"), SCREEN)).toEqual({ x: 0, y: 0, ...SCREEN });
    const half = after(large, put(large, "a", "left"));
    expect(shownBox(one(half, "a"), SCREEN)).toEqual({ x: 0, y: 0, w: 720, h: 812 });
    expect(shownBox(one(after(half, put(half, "a", "normal")), "a"), SCREEN)).toEqual(before);
  });

  test("DESK-9: a quarter that is maximised is that quarter again afterwards, and then comes back to where it had been", () => {
    const windows = opened("a");
    const before = one(windows, "a").box;
    const quarter = after(windows, put(windows, "a", "top-left"));
    const large = after(quarter, toggleMaximised(quarter, "a"));
    expect(one(large, "a").state).toBe("maximised");
    const again = after(large, toggleMaximised(large, "a"));
    expect(one(again, "a")).toEqual(one(quarter, "a"));
    expect(one(after(again, put(again, "a", "normal")), "a")).toMatchObject({ box: before, state: "normal" });
  });

  test("DESK-9: one that is laid away comes back as it was, in front", () => {
    const windows = opened("a", "b");
    const large = after(windows, put(windows, "a", "left"));
    const away = after(large, put(large, "a", "minimised"));
    expect(frontOf(away)).toBe("b");
    const back = after(away, bringToFront(away, "a"));
    expect(one(back, "a").state).toBe("left");
    expect(one(back, "a").was).toBeUndefined();
    expect(frontOf(back)).toBe("a");
  });

  test("DESK-10: the desktop is shown by one event, and all windows come back by one", () => {
    const windows = opened("a", "b", "c");
    const away = after(windows, showDesktop(windows));
    expect(frontOf(away)).toBeUndefined();
    const back = after(away, showDesktop(away));
    expect(inOrder(back).map(([id, { state }]) => [id, state])).toEqual([
      ["a", "normal"],
      ["b", "normal"],
      ["c", "normal"],
    ]);
    expect(showDesktop(new Map())).toBeUndefined();
  });

  test("DESK-35: the switcher goes from the front one to the nearest, also to one that is laid away", () => {
    const windows = opened("a", "b", "c");
    expect(inTurn(windows)).toEqual(["c", "b", "a"]);
    const away = after(windows, put(windows, "c", "minimised"));
    expect(inTurn(away)).toEqual(["b", "c", "a"]);
    expect(inTurn(after(away, showDesktop(away)))).toEqual(["c", "b", "a"]);
    expect(inTurn(new Map())).toEqual([]);
  });

  test("DESK-11: on a small screen every window has all of it, and what it was is kept for a larger one", () => {
    const windows = opened("a");
    expect(shownBox(one(windows, "a"), PHONE)).toEqual({ x: 0, y: 0, ...PHONE });
    expect(shownBox(one(windows, "a"), SCREEN)).toEqual(one(windows, "a").box);
  });

  test("DESK-11: windows that are opened on a small screen are on a larger one as if they had been opened there", () => {
    const windows = openedOn(PHONE, ["a", "b"]);
    const [a, b] = ["a", "b"].map((id) => shownBox(one(windows, id), SCREEN));
    expect([a, b]).toMatchObject([
      { w: 600, h: 400 },
      { w: 600, h: 400 },
    ]);
    expect(a).not.toEqual(b);
  });
});

function one(windows: Windows, id: string) {
  const window = windows.get(id);
  if (window === undefined) throw new Error(`there is no window ${id}`);
  return window;
}
