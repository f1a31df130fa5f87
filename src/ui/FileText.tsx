import { useEffect, useMemo, useState } from 'react';
import { type BlobSource, type ItemPlace, blobHead, blobPath } from '#shared/conversation/blobReference.ts';
import { clip } from '#shared/formatText.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { FILE_BYTES } from '#shared/limits.ts';
import { ClippedText } from './base/ClippedText.tsx';
import { useExpansion } from './base/itemCommands.ts';

interface Props {
  readonly blob: BlobSource;
  readonly place: ItemPlace;
}

/** Shows the first lines of a text file, with a button that shows all of it; nothing for another file. */
export function FileText({ blob, place }: Props) {
  const [steps, expand] = useExpansion('text');
  const most = steps > 0 ? FILE_BYTES : START_BYTES;
  const read = useFileText(blob, place, most);
  if (read === null || read.text === '') return null;
  const { text, isWhole } = read;
  const first = firstLines(text);
  if (steps === 0)
    return (
      <>
        <ClippedText text={first} hasLinks />
        {!(isWhole && first === text.trimEnd()) && (
          <button type="button" className="more" onClick={() => expand(1)}>
            Show all
          </button>
        )}
      </>
    );
  // The rest is on its way.
  if (!isWhole && read.most < most) return <ClippedText text={first} hasLinks />;
  return (
    <>
      <ClippedText text={text} hasLinks />
      {!isWhole && <p className="item-text">The file is longer. Save it to read the rest.</p>}
    </>
  );
}

const FIRST_LINES = 6;
/** In UTF-16 units. */
const FIRST_LENGTH = 400;

/** Returns the first lines of a text; the beginning of a long one. */
function firstLines(text: string): string {
  const lines = text.slice(0, 2 * FIRST_LENGTH).split('\n', FIRST_LINES);
  return clip(lines.join('\n').trimEnd(), FIRST_LENGTH);
}

/** The number of bytes in which the first lines are looked for. */
const START_BYTES = 4096;

/** The text of a file, or its beginning. */
interface ReadText {
  readonly text: string;
  readonly isWhole: boolean;
  /** About how many of its first bytes were read, if it has more. */
  readonly most: number;
}

/** Returns the text in the first bytes of a file; `null` until it has been read, and when the file contains no text. */
function useFileText(blob: BlobSource, { message, item }: ItemPlace, most: number): ReadText | null {
  const inline = useMemo(() => (typeof blob === 'string' ? inlineText(blob, most) : null), [blob, most]);
  const path = typeof blob === 'string' ? null : textPath(blob, { message, item });
  const [fetched, setFetched] = useState<{ readonly path: string; readonly read: ReadText | null }>();
  useEffect(() => {
    if (path === null) return undefined;
    const ended = new AbortController();
    fetchText(path, most, ended.signal).then(
      (read) => setFetched({ path, read }),
      // The item or its blob is gone.
      () => undefined,
    );
    return () => ended.abort();
  }, [path, most]);
  return inline ?? (fetched?.path === path ? (fetched?.read ?? null) : null);
}

/** Returns where to fetch a long text from; `null` for a file that begins with something else. */
function textPath(blob: Exclude<BlobSource, string>, place: ItemPlace): string | null {
  const head = decodeBase64(blobHead(blob));
  return head === null || decodeText(head, false) === null ? null : blobPath(blob, place);
}

/** Returns the text in the first bytes of a file in base64; `null` when they are no text. */
export function inlineText(base64: string, most: number): ReadText | null {
  const length = 4 * Math.ceil(most / 3);
  const isWhole = base64.length <= length;
  const bytes = decodeBase64(isWhole ? base64 : base64.slice(0, length));
  const text = bytes && decodeText(bytes, isWhole);
  return text === null ? null : { text, isWhole, most };
}

/** Fetches the first bytes of a file; returns `null` when they are no text. */
export async function fetchText(path: string, most: number, signal: AbortSignal): Promise<ReadText | null> {
  const { ok, body } = await fetch(path, { signal });
  if (!ok || body === null) return null;
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let isWhole = false;
  for (let length = 0; !isWhole && length < most;) {
    const { done, value } = await reader.read();
    isWhole = done;
    length += value?.length ?? 0;
    if (value !== undefined) chunks.push(value);
  }
  await reader.cancel();
  const bytes = new Uint8Array(await new Blob(chunks).slice(0, isWhole ? undefined : most).arrayBuffer());
  const text = decodeText(bytes, isWhole);
  return text === null ? null : { text, isWhole, most };
}

/** Returns bytes as a text; `null` when they are no text in UTF-8. `isWhole`: whether the last character must be complete. */
export function decodeText(bytes: Uint8Array<ArrayBuffer>, isWhole: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return isPlain(text) ? text : null;
  } catch {
    return null;
  }
}

/** Matches what no text contains: control characters, and the beginning of a PDF. */
// oxlint-disable-next-line no-control-regex
const NOT_PLAIN = /[\0-\x08\v\x0E-\x1F\x7F]|^%PDF-/;

const isPlain = (text: string): boolean => !NOT_PLAIN.test(text);
