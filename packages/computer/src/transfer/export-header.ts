import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { failureOf, Refusal } from "@choiros/log/failure"; // as in export-reader.ts
import { oddKind } from "../folder/stat.ts";
import { APPLICATION_ID, FORMAT_VERSION } from "./export-file.ts";

/**
 * Whether a file can be an export at all, by its first bytes: told before SQLite sees it, which would obey what they say
 * (to keep a journal beside it, for one). Gives the file's size, and throws with what the file is, or isn't.
 */
export function checkHeader(path: string): number {
  const { stats, header } = beginningOf(path);
  if (stats.isDirectory()) throw new Refusal("damaged", `${path} is a folder, not an export`);
  if (!stats.isFile()) throw new Refusal("damaged", `${path} is ${oddKind(stats.mode)}, not an export`);
  const isSqlite = header.length === HEADER && header.toString("latin1", 0, MAGIC.length) === MAGIC;
  if (!isSqlite || header.readInt32BE(AT.applicationId) !== APPLICATION_ID) {
    throw new Refusal("damaged", `${path} is not an export of ChoirOS`);
  }
  const version = header.readInt32BE(AT.userVersion);
  if (version > FORMAT_VERSION) {
    const why = `was made by a newer version of ChoirOS (format ${version}): update, then import`;
    throw new Refusal("newer", `${path} ${why}`);
  }
  const ordinary = header.readUInt16BE(AT.journal) === NO_JOURNAL && version === FORMAT_VERSION;
  if (!ordinary) throw new Refusal("damaged", `${path} is not as an export is written`);
  const pageSize = header.readUInt16BE(AT.pageSize) || 65_536;
  if (header.readUInt32BE(AT.pages) * pageSize !== stats.size) {
    throw new Refusal("damaged", `${path} is not a whole export of ChoirOS: it is cut short, or something was added`);
  }
  return stats.size;
}

const HEADER = 100;
const MAGIC = "SQLite format 3\0";
/** Where SQLite's format has what we ask for: https://sqlite.org/fileformat.html. 1 is written for a page of 65,536. */
const AT = { pageSize: 16, journal: 18, pages: 28, userVersion: 60, applicationId: 68 };
const NO_JOURNAL = 0x0101;

function beginningOf(path: string): { stats: Stats; header: Buffer } {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // nobody may ever write to a FIFO
    try {
      const stats = fstatSync(fd);
      const header = Buffer.alloc(HEADER);
      return { stats, header: stats.isFile() ? header.subarray(0, readSync(fd, header, 0, HEADER, 0)) : header };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code } = failureOf(error);
    throw new Refusal("denied", `${path} can't be read${code === "denied" ? ": that isn't allowed" : ""}`);
  }
}
