import { LogError, ThreadFailure } from "@choiros/log";

/** What the thread said, with what was being done. A state holds nothing that the log doesn't: it can always be made again. */
export function explain(error: unknown, doing: string): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  const { code, message } = error.failure;
  switch (code) {
    case "disk-full":
      return new LogError("disk-full", `${doing}: the disk is full. It goes on once there is room`, error);
    case "damaged":
      return new LogError("damaged", `${doing}: ${message}. Run 'choir rebuild': nothing is lost by it`, error);
    case "read-only":
    case "denied":
      return new LogError("read-only", `${doing}: ${message}`, error);
    default:
      return new LogError("io", `${doing}: ${message}`, error);
  }
}
