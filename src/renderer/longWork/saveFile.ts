/** The file is kept for this long after it was offered, in milliseconds: the browser may first ask the person for a place. */
const KEPT_MS = 3_600_000;

/** Offers a file as a download: the browser writes it under another name and then renames it, and says when it cannot. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
