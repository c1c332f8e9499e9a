/** The numbers every engine and every client keeps. */

/** Bytes of an event's canonical form, UTF-8. What is larger belongs into contents. */
export const MAX_EVENT_BYTES = 512 * 1024;

/** Changes that stand in an event itself; a longer list is a content of its own. */
export const MAX_INLINE_CHANGES = 100;

/** Levels of arrays and objects below the top of an event. */
export const MAX_DEPTH = 32;

/** Contents up to this many bytes lie beside the log, larger ones in the blob store. */
export const MAX_SMALL_CONTENT_BYTES = 64 * 1024;
