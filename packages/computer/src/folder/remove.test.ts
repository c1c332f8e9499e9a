import { existsSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { DIR, folderStage } from "../testing/folder-stage.ts";
import { SMALL_BYTES } from "./look.ts";

const stage = folderStage();

test("a directory goes away with a large file in it that has to be read first", async () => {
  const place = await stage();
  const large = place.file(new Uint8Array(SMALL_BYTES + 1));
  await place.land(
    { key: "workspace/a", from: null, to: DIR },
    { key: "workspace/a/large", from: null, to: large }, // written this very moment: its times prove nothing yet
  );
  const landed = await place.land(
    { key: "workspace/a", from: DIR, to: null },
    { key: "workspace/a/large", from: large, to: null },
  );
  expect(landed).toEqual([{ is: "landed" }, { is: "landed" }]);
  expect(existsSync(place.at("a"))).toBe(false);
  expect((await place.scan()).keys).toEqual([]);
});

test("a directory is blocked as long as something of ours in it can't be removed, and stays known", async () => {
  const place = await stage();
  const file = place.file("text\n");
  await place.land({ key: "workspace/a", from: null, to: DIR }, { key: "workspace/a/b", from: null, to: file });
  const landed = await place.land({ key: "workspace/a", from: DIR, to: null });
  expect(landed).toMatchObject([{ is: "blocked", code: "ENOTEMPTY" }]);
  expect((await place.scan()).keys.filter((key) => key === "workspace/a")).toEqual([]);
});

test("a directory with nothing but ignored things in it is gone from the tree, and stays on the disk", async () => {
  const place = await stage();
  await place.land({ key: "workspace/a", from: null, to: DIR });
  mkdirSync(place.at("a/node_modules"));
  expect(await place.land({ key: "workspace/a", from: DIR, to: null })).toEqual([{ is: "landed", left: true }]);
});
