import { LogError } from "../log-error.ts";
import { ThreadFailure } from "../thread.ts";

/** What the disk's thread said, with what was being done and what to do about it. */
export function explain(error: unknown, doing: string): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  const { code, message } = error.failure;
  switch (code) {
    case "disk-full":
      return new LogError(
        "disk-full",
        `${doing}: the disk is full. Nothing was written; it goes on once there is room`,
        error,
      );
    case "damaged":
      return new LogError("damaged", `${doing}: ${message}. Run 'choir doctor' to see what can be done`, error);
    case "read-only":
    case "denied":
      return new LogError("read-only", `${doing}: ${message}`, error);
    default:
      return new LogError("io", `${doing}: ${message}. It was not acknowledged; trying again is safe`, error);
  }
}
