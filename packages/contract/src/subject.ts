import { UserId } from "./ids.ts";
import { Source } from "./source.ts";
import { canonicalTypeName, TypeName } from "./type-name.ts";

export interface Subject {
  readonly user_id: UserId;
  readonly source: Source;
  readonly type: TypeName;
}

const ROOT = "choiros";

/** `choiros.{user_id}.{source}.{type}`. Throws where a part would break the subject: callers hold parsed values. */
export function formatSubject(subject: Subject): string {
  const { user_id, source, type } = subject;
  return [ROOT, UserId.parse(user_id), Source.parse(source), TypeName.parse(type)].join(".");
}

/** The parts of a subject, its type in canonical spelling; `undefined` where it isn't one of ours. */
export function parseSubject(text: string): Subject | undefined {
  const [root, user, from, ...words] = text.split(".");
  if (root !== ROOT) return undefined;
  const user_id = UserId.safeParse(user).data;
  const source = Source.safeParse(from).data;
  const type = canonicalTypeName(words.join("."));
  if (user_id === undefined || source === undefined || type === undefined) return undefined;
  return { user_id, source, type };
}
