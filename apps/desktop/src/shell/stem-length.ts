/** How much of a name is chosen when it is to be changed: all but a file's ending. */
export function stemLength(name: string, isFolder: boolean): number {
  const dot = isFolder ? -1 : name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}
