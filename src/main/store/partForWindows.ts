import { PART_BLOBS_LENGTH } from '#shared/limits.ts';
import type { Message } from '#shared/protocol/update.ts';
import { longBlobsLength } from './blobReferences.ts';
import { type OnTooLong, messageJson } from './tooLong.ts';

interface Messages {
  readonly length: number;
  /** The message at an index below the length. */
  readonly at: (index: number) => Message;
}

/** Which messages a part contains. */
export interface Range {
  /** The part ends before this index. */
  readonly before: number;
  /** The maximum length, in characters; one message is always included. */
  readonly limit: number;
  readonly onTooLong?: OnTooLong | undefined;
}

/** Returns the JSON of a `ConversationPart`: as many messages before an index as fit. */
export function partForWindows({ length, at }: Messages, { before, limit, onTooLong }: Range): string {
  const texts: string[] = [];
  let from = before;
  for (let size = 0, blobs = 0; from > 0 && size < limit && blobs < PART_BLOBS_LENGTH;) {
    from -= 1;
    const message = at(from);
    const text = messageJson(message, onTooLong);
    texts.push(text);
    size += text.length;
    blobs += longBlobsLength(message);
  }
  return `{"length":${length},"from":${from},"messages":[${texts.toReversed().join(',')}]}`;
}
