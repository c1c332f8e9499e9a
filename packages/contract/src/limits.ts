/** The numbers every engine and every client keeps. */

/** Bytes of an event's canonical form, UTF-8. What is larger belongs into contents. */
export const MAX_EVENT_BYTES = 512 * 1024;

/** Changes that stand in an event itself; a longer list is a content of its own. */
export const MAX_INLINE_CHANGES = 100;

/** Levels of arrays and objects below the top of an event. */
export const MAX_DEPTH = 32;

/** Bytes of one message to the server over its socket, UTF-8; a longer one ends that. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

/** Of what is said to agents at once. */
export const MAX_SAID_CHARACTERS = 200_000;

/** Contents up to this many bytes lie beside the log, larger ones in the blob store. */
export const MAX_SMALL_CONTENT_BYTES = 64 * 1024;
