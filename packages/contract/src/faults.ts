import type { z } from "zod";

const MAX_REASONS = 5;

/** What a schema found wrong, as one sentence for whoever made it. */
export function reasons(error: z.ZodError): string {
  const all = faults(error.issues, []);
  const more = all.length > MAX_REASONS ? [`and ${all.length - MAX_REASONS} more`] : [];
  return [...all.slice(0, MAX_REASONS), ...more].join("; ");
}

/** Where several shapes were possible, the one that came closest speaks: what the others miss is no news. */
function faults(issues: readonly z.core.$ZodIssue[], at: readonly PropertyKey[]): string[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [sentence(path, issue.message)];
    const shapes = issue.errors.map((errors) => faults(errors, path));
    const fewest = Math.min(...shapes.map((shape) => shape.length));
    const closest = shapes.filter((shape) => shape.length === fewest).map((shape) => shape.join("; "));
    return [[...new Set(closest)].join(", or ")];
  });
}

/** Our own messages go on from the field's name (`must …`); the schema library's are remarks about it. */
function sentence(path: readonly PropertyKey[], message: string): string {
  const field = path.join(".");
  const remark = message.charAt(0).toLowerCase() + message.slice(1);
  if (remark === message) return `${field || "it"} ${message}`;
  return field === "" ? remark : `${field}: ${remark}`;
}
