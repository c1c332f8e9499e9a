import type { Entry } from "@choiros/contract";
import {
  File,
  FileArchive,
  FileCode,
  FileDigit,
  FileHeadphone,
  FileImage,
  FilePlay,
  FileSpreadsheet,
  FileSymlink,
  FileText,
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
  ["text/plain", "Text", FileText],
  ["text/", "Code", FileCode],
  ["application/json", "Code", FileCode],
  ["image/", "Picture", FileImage],
  ["audio/", "Sound", FileHeadphone],
  ["video/", "Film", FilePlay],
  ["application/pdf", "PDF", FileText],
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
