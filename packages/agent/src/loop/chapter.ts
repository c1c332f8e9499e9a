import type { Computer } from "@choiros/computer";
import { type Cause, type ContentRef, type Draft, type EventType, type KnownEvent, recognise } from "@choiros/contract";
import { LogError, type Query } from "@choiros/log";

type DraftOf<Type extends EventType> = Extract<Draft, { type: Type }>;

/** The part of the log that belongs to one ask or one task: what is written there has its cause. */
export class Chapter {
  readonly computer: Computer;
  readonly cause: Cause;

  constructor(computer: Computer, cause: Cause) {
    this.computer = computer;
    this.cause = cause;
  }

  /** Of something that belongs to this one. */
  within(cause: Cause): Chapter {
    return new Chapter(this.computer, { ...this.cause, ...cause });
  }

  /** Resolves once it is durable. With an id that is in the log already nothing happens, which is what resuming leans on. */
  async append<Type extends EventType>(
    type: Type,
    payload: DraftOf<Type>["payload"],
    { source = "agent", ...rest }: Partial<Pick<Draft, "id" | "source">> = {},
  ): Promise<number> {
    // The type and its payload belong together by this function's own signature.
    const appended = await this.computer.log.append({ source, type, cause: this.cause, payload, ...rest } as Draft);
    if (!appended.ok) throw new LogError("misuse", `${type} could not be kept: ${appended.message}`);
    return appended.seq;
  }

  /** The events that this version knows, in order. */
  async *read(query: Query): AsyncGenerator<KnownEvent> {
    for await (const event of this.computer.log.read(query)) {
      const known = recognise(event);
      if (known.ok) yield known.value;
    }
  }

  put(text: string): Promise<ContentRef> {
    return this.computer.contents.put(Buffer.from(text));
  }

  get(content: ContentRef): Promise<string> {
    return textOf(this.computer, content);
  }
}

/** A content as text. One that was pruned is an error that says so. */
async function textOf({ contents }: Computer, { hash }: ContentRef): Promise<string> {
  const found = await contents.get(hash);
  if (found === undefined) throw new LogError("misuse", `the content ${hash} isn't there any more`);
  return Buffer.concat(await Array.fromAsync(found)).toString("utf8");
}
