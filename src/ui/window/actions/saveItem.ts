import { type BlobPlace, blobPath, blobSource } from '#shared/conversation/blobReference.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';

/** Time that the browser has to begin a download, in milliseconds. */
const DOWNLOAD_MS = 10_000;

/** Saves the blob of an image or a file under its name, as the browser saves a download. Does nothing when it is not base64. */
export function saveItem(name: string, blob: unknown, place: BlobPlace): void {
  const source = blobSource(blob);
  if (typeof source !== 'string') {
    const path = blobPath(source, place);
    if (path !== null) download(name, path);
    return;
  }
  const bytes = decodeBase64(source);
  if (bytes === null) return;
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  download(name, address);
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_MS);
}

function download(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = safeFileName(name);
  link.click();
}
