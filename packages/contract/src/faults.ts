import type { z } from "zod";

const MAX_REASONS = 5;

/** What a schema found wrong, as one sentence for whoever made it. */
export function reasons(error: z.ZodError): string {
  return firstOf(
    faults(error.issues, [], (path, { message }) => sentence(path, message)),
    MAX_REASONS,
  );
}

/** How one thing that is wrong is said; the path leads to it. */
export type Words = (path: readonly PropertyKey[], issue: z.core.$ZodIssue) => string;

/** Each thing that is wrong. Where several shapes were possible, the one that came closest speaks: what the others miss is no news. */
export function faults(issues: readonly z.core.$ZodIssue[], at: readonly PropertyKey[], words: Words): string[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [words(path, issue)];
    const shapes = issue.errors.map((errors) => faults(errors, path, words));
    const fewest = Math.min(...shapes.map((shape) => shape.length));
    const [one = [], ...others] = shapes.filter((shape) => shape.length === fewest);
    return others.length === 0 ? one : eitherOf([one, ...others]);
  });
}

/** What is wrong with each of several shapes, and once what is wrong with all of them. */
function eitherOf(shapes: readonly (readonly string[])[]): string[] {
  const common = shapes[0]?.filter((fault) => shapes.every((shape) => shape.includes(fault))) ?? [];
  const own = shapes.map((shape) => shape.filter((fault) => !common.includes(fault)).join("; "));
  return [[...new Set(own)].join(", or "), ...common].filter((fault) => fault !== "");
}

/** Some of them, and how many more there are. */
export function firstOf(all: readonly string[], most: number): string {
  const more = all.length > most ? [`and ${all.length - most} more`] : [];
  return [...all.slice(0, most), ...more].join("; ");
}

/** Our own messages go on from the field's name (`must …`); the schema library's are remarks about it. */
function sentence(path: readonly PropertyKey[], message: string): string {
  const field = path.join(".");
  const remark = message.charAt(0).toLowerCase() + message.slice(1);
  if (remark === message) return `${field || "it"} ${message}`;
  return field === "" ? remark : `${field}: ${remark}`;
}
