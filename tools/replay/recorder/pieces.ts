import type { Mask } from './mask.ts';
import type { HttpContent } from './recordContent.ts';

interface Stream {
  readonly type: string | undefined;
  readonly mask: Mask;
  add(content: HttpContent): void;
}

/**
 * Records the pieces of a streamed body. A text is replaced by an alias as a whole, so a piece is recorded up to the end of its last complete event, or line
 * of JSON; the rest is recorded with the next piece. JSON is recorded when it is complete. Pieces of other texts are recorded as they are cut.
 */
export function createPieces({ type, mask, add }: Stream) {
  const decoder = new TextDecoder();
  const ends = endsOf(type);
  let rest = '';
  const addText = (text: string): void => {
    if (text !== '') add({ chunk: mask.body(text) });
  };
  return {
    add(bytes: Uint8Array): void {
      if (ends === undefined) return add({ chunk: mask.binary(bytes), encoding: 'base64' });
      rest += decoder.decode(bytes, { stream: true });
      const end = endOf(rest, ends);
      addText(rest.slice(0, end));
      rest = rest.slice(end);
    },
    end(): void {
      addText(rest + decoder.decode());
      add({ end: true });
    },
  };
}

/** Returns what ends a part that is replaced as a whole; `undefined` for bodies that are not text. */
function endsOf(type: string | undefined): readonly string[] | undefined {
  if (!isTextual(type)) return undefined;
  if (/event-stream/i.test(type)) return ['\n\n', '\r\r', '\r\n\r\n'];
  if (/ndjson|jsonl|json-seq|stream\+json/i.test(type)) return ['\n'];
  return /json/i.test(type) ? [] : [''];
}

/** Returns where the last complete part of a text ends; 0 when none is complete. */
const endOf = (text: string, ends: readonly string[]): number =>
  Math.max(0, ...ends.map((end) => (text.includes(end) ? text.lastIndexOf(end) + end.length : 0)));

/** Returns whether bodies of a media type are texts. */
export const isTextual = (type: string | null | undefined): type is string =>
  /^text\/|json|xml|javascript|urlencoded/i.test(type ?? '');
