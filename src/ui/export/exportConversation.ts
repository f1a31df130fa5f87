import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import {
  type BlobPlace,
  type BlobSource,
  blobHead,
  blobPath,
  blobSource,
  drawnType,
} from '#shared/conversation/blobReference.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { audioType } from '#shared/image/mediaType.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { loadMath } from '../markdown/math.ts';
import type { TimeAt } from '../base/Arrival.tsx';
import type { Step } from './createSteps.ts';
import { escapeInline, messageMarkdown } from './messageMarkdown.ts';
import { HTML_END, exportNote, exportTitle, htmlStart, withArrivalTime } from './exportTitle.ts';
import { type Addresses, FILE_TYPE, messageElement } from './messageElement.ts';
import { hasItems, messageText } from './messageText.ts';

/** The formats in which a person can export the conversation. */
export const EXPORT_FORMATS = {
  html: { name: 'Web page', about: 'with its images, for any browser', ending: 'html', type: 'text/html' },
  markdown: { name: 'Markdown', about: 'images and files are named', ending: 'md', type: 'text/markdown' },
  text: { name: 'Plain text', about: 'images and files are named', ending: 'txt', type: 'text/plain' },
} as const;

/** The name of a format of an export. */
export type ExportFormat = keyof typeof EXPORT_FORMATS;

interface Options {
  readonly readBlob: ReadBlob;
  readonly step: Step;
  readonly today: Date;
  readonly timeAt: TimeAt;
}

/** Yields the whole conversation in a format, piece by piece. All its messages must have arrived. */
export async function* exportConversation(
  conversation: Conversation,
  format: ExportFormat,
  { readBlob, step, today, timeAt }: Options,
): AsyncGenerator<string> {
  const { start, end, pieceOf } = WRITERS[format](readBlob);
  const { messages } = conversation;
  yield await start(exportTitle(conversation), exportNote(conversation, today));
  for (let index = 0; index < messages.length; index++) {
    const message = withArrivalTime(itemAt(messages, index) ?? {}, timeAt(index));
    const piece = await pieceOf(message, index);
    if (piece !== '') yield piece;
    await step(index, messages.length);
  }
  yield end;
}

/** Writes a conversation in one format. */
interface Writer {
  readonly start: (title: string, note: string) => string | Promise<string>;
  /** Returns the text of the message at an index; an empty one for a message without content. */
  readonly pieceOf: (message: Message, index: number) => string | Promise<string>;
  readonly end: string;
}

const WRITERS: Readonly<Record<ExportFormat, (readBlob: ReadBlob) => Writer>> = {
  html(readBlob) {
    const addressesOf = createEmbedder(readBlob);
    return {
      async start(title, note) {
        await loadMath();
        return htmlStart(title, note);
      },
      async pieceOf(message, index) {
        if (!hasItems(message)) return '';
        const addresses = await addressesOf(message, index);
        return `${messageElement(message, { addresses, hasReasoning: true }).outerHTML}\n`;
      },
      end: HTML_END,
    };
  },
  markdown: () => ({
    start: (title, note) => `# ${escapeInline(title)}\n\n${escapeInline(note)}\n`,
    pieceOf: (message) => withLines('\n---\n\n', messageMarkdown(message)),
    end: '',
  }),
  text: () => ({
    start: (title, note) => `${title}\n${note}\n`,
    pieceOf: (message) => withLines('\n', messageText(message)),
    end: '',
  }),
};

const withLines = (before: string, text: string): string => (text === '' ? '' : `${before}${text}\n`);

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
