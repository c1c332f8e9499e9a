import type { Entry } from "@choiros/contract";
import {
  File,
  FileArchive,
  FileChartPie,
  FileCode,
  FileDigit,
  FileHeadphone,
  FileImage,
  FilePlay,
  FileSpreadsheet,
  FileSymlink,
  FileText,
  FileType,
  Folder,
  type LucideIcon,
} from "lucide-react";
import { mediaTypeOf } from "../media-type.ts";

interface Thing {
  readonly key: string;
  readonly entry: Entry;
}

const BY_TYPE: readonly (readonly [start: string, word: string, icon: LucideIcon])[] = [
  ["text/markdown", "Markdown", FileText],
  ["text/csv", "Table", FileSpreadsheet],
  ["text/tab-separated-values", "Table", FileSpreadsheet],
  ["text/plain", "Text", FileText],
  ["text/", "Code", FileCode],
  ["application/json", "Code", FileCode],
  ["image/", "Picture", FileImage],
  ["audio/", "Sound", FileHeadphone],
  ["video/", "Film", FilePlay],
  ["font/", "Font", FileType],
  ["application/pdf", "PDF", FileText],
  ["application/epub+zip", "Book", FileText],
  ["application/msword", "Document", FileText],
  ["application/rtf", "Document", FileText],
  ["application/vnd.oasis.opendocument.text", "Document", FileText],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml", "Document", FileText],
  ["application/vnd.ms-excel", "Table", FileSpreadsheet],
  ["application/vnd.oasis.opendocument.spreadsheet", "Table", FileSpreadsheet],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml", "Table", FileSpreadsheet],
  ["application/vnd.ms-powerpoint", "Slides", FileChartPie],
  ["application/vnd.oasis.opendocument.presentation", "Slides", FileChartPie],
  ["application/vnd.openxmlformats-officedocument.presentationml", "Slides", FileChartPie],
  ["application/octet-stream", "Binary", FileDigit],
  ["application/", "Archive", FileArchive],
];

/** What it is, in a word. */
export function kindWord({ key, entry }: Thing): string {
  if (entry.kind === "dir") return "Folder";
  return entry.kind === "link" ? "Link" : (rowOf(key)?.[1] ?? "File");
}

export function iconOf({ key, entry }: Thing): LucideIcon {
  if (entry.kind === "dir") return Folder;
  return entry.kind === "link" ? FileSymlink : (rowOf(key)?.[2] ?? File);
}

function rowOf(key: string) {
  const type = mediaTypeOf(key);
  return BY_TYPE.find(([start]) => type.startsWith(start));
}
