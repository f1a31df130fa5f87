import {
  type BlobPlace,
  type BlobSource,
  blobHead,
  blobPath,
  blobSource,
  drawnType,
} from '#shared/conversation/blobReference.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { audioType } from '#shared/image/mediaType.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { type Addresses, FILE_TYPE } from './messageElement.ts';

/** Reads the blob at a path of main as base64; resolves to `null` when it cannot be read. */
export type ReadBlob = (path: string) => Promise<string | null>;

/** Longer pictures and sounds are named only. In characters of base64. */
const MEDIA_LENGTH = 32 * 1024 * 1024;
/** Longer files are named only: browsers save no longer address. In characters of base64. */
const FILE_LENGTH = 2_000_000;
/** Maximum length of all that is embedded in one file, in characters of base64: browsers can still open it. */
const TOTAL_LENGTH = 256 * 1024 * 1024;

/** Returns a function that returns the data addresses of what an exported message contains, within the limits. */
export function createEmbedder(readBlob: ReadBlob): (message: Message, index: number) => Promise<Addresses> {
  let rest = TOTAL_LENGTH;
  return async ({ content = emptyVector() }, message) => {
    const addresses = new Map<number, string>();
    for (let at = 0; at < content.length; at++) {
      const item = itemAt(content, at) ?? {};
      const source = blobSource(item.blob);
      const type = embeddedType(item, source);
      const base64 = type === null ? null : await read(source, { message, item: at }, readBlob);
      const longest = Math.min(rest, type === FILE_TYPE ? FILE_LENGTH : MEDIA_LENGTH);
      if (base64 === null || base64.length > longest) continue;
      rest -= base64.length;
      addresses.set(at, `data:${type};base64,${base64}`);
    }
    return addresses;
  };
}

/** Returns the media type of an item's blob; `null` for an item that is shown without one. */
function embeddedType({ category }: ContentItem, source: BlobSource): string | null {
  const head = blobHead(source);
  const kind = displayedCategory(category);
  if (head === '' || kind === 'text' || kind === 'html') return null;
  if (kind === 'audio') return audioType(head);
  return (kind === 'image' ? drawnType(source) : null) ?? FILE_TYPE;
}

/** Returns a blob as base64 without spaces; `null` when it is not base64, or cannot be read. */
function read(
  source: BlobSource,
  place: BlobPlace,
  readBlob: ReadBlob,
): Promise<string | null> | string | null {
  if (typeof source === 'string')
    return decodeBase64(source) === null ? null : source.replaceAll(/[\t\n\f\r ]+/gu, '');
  const path = blobPath(source, place);
  return path === null ? null : readBlob(path);
}
