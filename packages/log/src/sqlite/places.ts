/** What lies in a store's folder. */
export const LOG_FILE = "log.sqlite";
export const CONTENTS_FILE = "contents.sqlite";
/** The files of large contents, by the first two digits of their names. */
export const CONTENTS_FOLDER = "contents";
/** Where large contents on their way in were, up to version 2. */
export const INCOMING_FOLDER = "contents/incoming";
/** The good part of a damaged log, complete, about to take its place. */
export const SALVAGED_FILE = "log.sqlite.salvaged";
