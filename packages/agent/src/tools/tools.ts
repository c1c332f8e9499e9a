import { bash } from "./bash.ts";
import { editFile } from "./edit-file.ts";
import { jobOutput } from "./job-output.ts";
import { jobStop } from "./job-stop.ts";
import { listFiles } from "./list-files.ts";
import { note, notify } from "./notes.ts";
import { openWindow } from "./open-window.ts";
import { readFile } from "./read-file.ts";
import { searchFiles } from "./search-files.ts";
import type { Tool } from "./tool.ts";
import { undo } from "./undo.ts";
import { writeFile } from "./write-file.ts";

/** Every tool there is; which of them a task has, its lease says. */
export const TOOLS: readonly Tool[] = [
  ...[readFile, listFiles, searchFiles, writeFile, editFile],
  ...[bash, jobOutput, jobStop],
  ...[openWindow, notify, note, undo],
];
