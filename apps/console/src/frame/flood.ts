import { FromDesk } from "@choiros/contract/frame";

/**
 * So much time may go into messages, of so much: 30 small ones in a second. A desk needs one now and then, and asks for drafts
 * at the pace it is answered; one with a text of 20 MB may take a second to read, on a busy machine.
 */
const MOST_MS = 3000;
const WITHIN_MS = 5000;
/** What each counts for, beside the time it takes to read it. */
const EACH_MS = 20;

/** Counts what any window sends here: a page within the desk's can send, too. */
export function watchFlood(onFlood: () => void): () => void {
  let since = 0;
  let spent = 0;
  const count = (message: MessageEvent<unknown>) => {
    if (message.timeStamp - since > WITHIN_MS) {
      since = message.timeStamp;
      spent = 0;
    }
    const begin = performance.now();
    FromDesk.safeParse(message.data); // browsers make it of its bytes when it is asked for, and then it is looked at
    spent += performance.now() - begin + EACH_MS;
    if (spent > MOST_MS) onFlood();
  };
  addEventListener("message", count);
  return () => removeEventListener("message", count);
}
