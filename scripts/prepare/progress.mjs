const REMINDER_MS = 15_000;

/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Says what is being done and why, that it is still under way, and how long it took. A terminal gets one line that
 * counts the seconds; a file or a pipe gets a line at the start, one at the end, and one now and then between.
 *
 * @template T
 * @param {string} what
 * @param {string} why
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(what, why, work) {
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const terminal = process.stderr.isTTY;
  const draw = () => process.stderr.write(`\r\x1b[K${shorten(`${what}: ${why}`, ` … ${elapsed()}`)}`);
  const remind = () => say(`${what}: ${elapsed()} so far`);

  if (terminal) draw();
  else say(`${what}: ${why}`);
  const timer = setInterval(terminal ? draw : remind, terminal ? 1000 : REMINDER_MS);
  try {
    const result = await work();
    if (terminal) process.stderr.write("\r\x1b[K");
    say(terminal ? `${what}: ${why}. Done in ${elapsed()}` : `${what}: done in ${elapsed()}`);
    return result;
  } catch (error) {
    if (terminal) process.stderr.write("\n");
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * A line longer than the terminal would wrap, and redrawing it would fill the screen.
 *
 * @param {string} text
 * @param {string} ending
 */
function shorten(text, ending) {
  const room = (process.stderr.columns || 80) - ending.length - 1;
  return (text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text) + ending;
}
