/** What lies in a store's folder. */
export const LOG_FILE = "log.sqlite";
export const CONTENTS_FILE = "contents.sqlite";
/** Large contents, by the first two digits of their hash. */
export const CONTENTS_FOLDER = "contents";
/** Large contents on their way in. */
export const INCOMING_FOLDER = "contents/incoming";
/** The good part of a damaged log, complete, about to take its place. */
export const SALVAGED_FILE = "log.sqlite.salvaged";
