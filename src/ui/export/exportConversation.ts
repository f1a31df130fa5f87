import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { TimeAt } from '../arrival/arrivalTimes.ts';
import type { Step } from './createSteps.ts';
import { createEmbedder, type ReadBlob } from './createEmbedder.ts';
import { escapeInline } from './escapeMarkdown.ts';
import type { ExportFormat } from './exportFormats.ts';
import { exportNote, exportTitle } from './exportTitle.ts';
import { HTML_END, htmlStart } from './htmlStart.ts';
import { messageElement } from './messageElement.ts';
import { messageMarkdown } from './messageMarkdown.ts';
import { hasItems, messageText } from './messageText.ts';
import { withArrivalTime } from './withArrivalTime.ts';

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
      start: htmlStart,
      async pieceOf(message, index) {
        if (!hasItems(message)) return '';
        const addresses = await addressesOf(message, index);
        return `${messageElement(message, { addresses }).outerHTML}\n`;
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
