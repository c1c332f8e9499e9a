import { expect, test } from "vitest";
import { bannerWords, savingWords } from "./state-words.ts";

test("EDIT-15: where what was typed is, is said in one of four words, whatever keeps it from the file", () => {
  const words = (["saved", "shown", "saving", "typed", "offline", "failed"] as const).flatMap((saving) =>
    [true, false].map((keeps) => savingWords({ saving, keeps, isNew: false })),
  );
  expect(new Set(words.map((one) => one.replace(", without a connection", "")))).toEqual(
    new Set(["Saved", "Saving…", "Kept in this browser", "Only in this window"]),
  );
  expect(savingWords({ saving: "offline", keeps: true, isNew: false })).toBe(
    "Kept in this browser, without a connection",
  );
  expect(savingWords({ saving: "shown", keeps: true, isNew: false })).toBe("Only in this window");
});

test("EDIT-15: what was brought back, and what became of its file, is one banner", () => {
  const restored = Date.UTC(2026, 0, 1, 12);
  expect(bannerWords({ gone: false, isNew: false, open: 0 })).toBeUndefined();
  expect(bannerWords({ gone: false, isNew: false, open: 0, restored })).toMatchObject({ kind: "said", offers: ["save", "discard", "close"] }); // biome-ignore format: in one line
  expect(bannerWords({ gone: true, isNew: false, open: 0, restored })).toMatchObject({
    words: expect.stringMatching(/^The file was taken away\. What you typed until .* is here again\.$/),
    offers: ["put back"],
  });
  expect(bannerWords({ gone: true, isNew: false, open: 0, other: "PNG picture" })).toMatchObject({
    words:
      "The file isn't text any more: PNG picture. What you see is still here. Saved again, it takes that one's place, which stays among the versions.",
    offers: ["put back"],
  });
  expect(bannerWords({ gone: false, isNew: false, open: 2, restored })).toMatchObject({
    words: expect.stringMatching(/^What you typed until .* Changed elsewhere in the same lines, at 2 places\./),
    offers: ["show next", "discard"],
  });
  expect(bannerWords({ gone: false, isNew: false, open: 1 })).toMatchObject({ offers: ["show"] });
});

test("EDIT-15: where there is no file that is said, and not that it is saved, until there is one", () => {
  expect(savingWords({ saving: "saved", keeps: true, isNew: true })).toBe("No file yet");
  expect(savingWords({ saving: "typed", keeps: true, isNew: true })).toBe("Kept in this browser");
  expect(bannerWords({ gone: false, isNew: true, open: 0 })).toEqual({
    kind: "said",
    words: "There is no such file. What you type here begins one.",
    offers: [],
  });
  const restored = Date.UTC(2026, 0, 1, 12);
  expect(bannerWords({ gone: false, isNew: true, open: 0, restored })?.words).toMatch(/^What you typed until /);
});
