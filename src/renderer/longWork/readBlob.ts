import type { ReadBlob } from '#ui/export/exportConversation.ts';

/** Fetches a blob from main as base64; resolves to `null` when it is no longer in the conversation. */
export const readBlob: ReadBlob = async (path) => {
  const response = await fetch(path);
  return response.ok ? toBase64(await response.blob()) : null;
};

const toBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(dataOf(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the blob cannot be read')));
    reader.readAsDataURL(blob);
  });

const dataOf = (address: string | ArrayBuffer | null): string =>
  typeof address === 'string' ? address.slice(address.indexOf(',') + 1) : '';
