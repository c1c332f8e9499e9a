/** A file that somebody dropped here, and where it was below what they dropped: `photos/sea.jpg`. */
export interface Dropped {
  readonly path: string;
  readonly file: File;
}

/** All files of a drop, those in folders too. What is asked of it is over with the event, so this begins at once. */
export async function filesIn(transfer: DataTransfer): Promise<Dropped[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const given = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile()); // not each file has an entry
  const found: Dropped[] = [];
  for (const one of given) {
    if (one instanceof File) found.push({ path: one.name, file: one });
    else if (one !== null) await collect(one, found);
  }
  return found;
}

async function collect(entry: FileSystemEntry, found: Dropped[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isFile(entry)) found.push({ path, file: await new Promise<File>((take, fail) => entry.file(take, fail)) });
  else if (isFolder(entry)) for await (const one of within(entry)) await collect(one, found);
}

/** A folder tells a hundred at a time, until it tells none. */
async function* within(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((take, fail) => reader.readEntries(take, fail));
    if (some.length === 0) return;
    yield* some;
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
