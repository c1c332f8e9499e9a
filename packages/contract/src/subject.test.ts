import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYLOADS } from "./payloads.ts";
import type { Source } from "./source.ts";
import { formatSubject, parseSubject, type Subject } from "./subject.ts";

const SOURCES: Source[] = ["user", "agent", "system"];

const subjects: fc.Arbitrary<Subject> = fc.record({
  user_id: fc.stringMatching(/^(?:[a-z0-9]{1,3}|[a-z0-9]{3}[a-z0-9-]{0,36}[a-z0-9])$/),
  source: fc.constantFrom(...SOURCES),
  type: fc.stringMatching(/^[a-z][a-z0-9]{0,9}(?:\.[a-z][a-z0-9]{0,9}){0,4}$/),
});

describe("both ways", () => {
  test("a subject says whose event it is, who made it, and what happened", () => {
    const subject: Subject = { user_id: "ada", source: "agent", type: "file.write" };
    expect(formatSubject(subject)).toBe("choiros.ada.agent.file.write");
    expect(parseSubject("choiros.ada.agent.file.write")).toEqual(subject);
  });

  test("parts become a subject and the subject becomes the same parts", () => {
    fc.assert(
      fc.property(subjects, (subject) => {
        const text = formatSubject(subject);
        expect(parseSubject(text)).toEqual(subject);
        expect(text.split(".").every((token) => /^[a-z0-9-]+$/.test(token))).toBe(true);
      }),
    );
  });

  test("any text is refused, or is a subject that is written back in canonical spelling", () => {
    const tokens = fc.constantFrom("choiros", "ada", "user", "file", "FILE_WRITE", "message", "", "*", ">", "a b");
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 7 }), (parts) => {
        const text = parts.join(".");
        const subject = parseSubject(text);
        const again = subject && formatSubject(subject);
        expect(again).toBe(subject && text.replaceAll("FILE_WRITE", "file.write"));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(Object.keys(PAYLOADS))("%s can stand in a subject, and is found there in its old spelling too", (type) => {
    for (const source of SOURCES) {
      const subject: Subject = { user_id: "ada", source, type };
      expect(parseSubject(formatSubject(subject))).toEqual(subject);
      expect(parseSubject(`choiros.ada.${source}.${type.toUpperCase().replaceAll(".", "_")}`)).toEqual(subject);
    }
  });
});

test.each(["FILE_WRITE", "file_write", "File_Write", "FILE.WRITE"])(
  "a subject with %s is read as file.write",
  (old) => {
    expect(parseSubject(`choiros.ada.user.${old}`)?.type).toBe("file.write");
  },
);

describe("refusals", () => {
  test.each([
    ["nothing", ""],
    ["only the root", "choiros"],
    ["no type", "choiros.ada.user"],
    ["an empty type", "choiros.ada.user."],
    ["another root", "choir.ada.user.message"],
    ["the root in capitals", "CHOIROS.ada.user.message"],
    ["no root", "ada.user.message"],
    ["an empty user", "choiros..user.message"],
    ["a user in capitals", "choiros.Ada.user.message"],
    ["a user that is no DNS label", "choiros.-ada.user.message"],
    ["a user of 41 characters", `choiros.${"a".repeat(41)}.user.message`],
    ["a wildcard for the user", "choiros.*.user.message"],
    ["an unknown source", "choiros.ada.model.message"],
    ["a source in capitals", "choiros.ada.USER.message"],
    ["a wildcard for the source", "choiros.ada.*.message"],
    ["a wildcard for the type", "choiros.ada.user.*"],
    ["a wildcard for the rest", "choiros.ada.user.>"],
    ["a wildcard for everything", ">"],
    ["an empty word in the type", "choiros.ada.user.file..write"],
    ["a space in the type", "choiros.ada.user.file write"],
    ["a space before", " choiros.ada.user.message"],
    ["a line feed after", "choiros.ada.user.message\n"],
    ["a control character", "choiros.ada.user.mess\u0001age"],
    ["a type that is too long", `choiros.ada.user.${"a".repeat(65)}`],
  ])("not a subject of ours: %s", (_, text) => {
    expect(parseSubject(text)).toBeUndefined();
  });

  test.each([
    ["a user with a dot", { user_id: "ada.agent", source: "user", type: "message" }],
    ["an empty user", { user_id: "", source: "user", type: "message" }],
    ["a wildcard user", { user_id: "*", source: "user", type: "message" }],
    ["a type with a wildcard", { user_id: "ada", source: "user", type: "file.>" }],
    ["a type with a space", { user_id: "ada", source: "user", type: "file write" }],
    ["a type in its old spelling", { user_id: "ada", source: "user", type: "FILE_WRITE" }],
    ["an empty type", { user_id: "ada", source: "user", type: "" }],
    ["a type that is too long", { user_id: "ada", source: "user", type: "a".repeat(65) }],
  ] satisfies [string, Subject][])("no subject is made of %s", (_, subject) => {
    expect(() => formatSubject(subject)).toThrow();
  });

  test("no subject is made of a source that there isn't", () => {
    // A caller without types can pass anything; the subject must not carry it.
    const source = "root" as Source;
    expect(() => formatSubject({ user_id: "ada", source, type: "message" })).toThrow();
  });
});
