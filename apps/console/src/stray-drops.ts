/** A file that is let go where nothing takes it would be opened by the browser, in a page of its own. */
export function refuseStrayDrops(): void {
  const refuse = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files") !== true || isForFiles(event.target)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
}

function isForFiles(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "file";
}
