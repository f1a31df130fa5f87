import { copied, workEnded, workStarted } from '#shared/actions/outputActions.ts';
import { noteShown } from '#shared/actions/windowActions.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { messageTimes } from '#ui/base/Arrival.tsx';
import { createPrintArea } from '#ui/export/createPrintArea.ts';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  exportConversation,
  type ReadBlob,
} from '#ui/export/exportConversation.ts';
import { exportTitle, localTime } from '#ui/export/exportTitle.ts';
import type { SelectedRange } from '#ui/export/selectedRange.ts';
import { conversationText, hasArrived } from '#ui/export/useCopy.ts';
import type { createWorkList } from './createWorkList.ts';
import type { WindowStore } from '../store/createWindowStore.ts';

const NOT_COPIED = 'The messages could not be copied. Keep this window in front, and copy them again.';
const NOT_EXPORTED =
  'The conversation could not be exported: it needs too much memory. Export it as plain text.';
const NOT_PRINTED = 'The conversation could not be printed. Export it, and print the file.';

type Store = Pick<WindowStore, 'getState' | 'subscribe' | 'dispatch'>;

/** Creates the commands that take long in a long conversation. A sign-out cancels them. */
export function createWorkCommands(store: Store, works: ReturnType<typeof createWorkList>) {
  const noteFailure = (outcome: string, text: string) => {
    if (outcome === 'failed') store.dispatch(noteShown({ text }));
  };
  store.subscribe(() => {
    if (store.getState().own.view !== 'conversation') works.cancel();
  });
  return {
    async copyLater(range: SelectedRange) {
      let length = 0;
      const outcome = await works.run('Copying', async (step, signal) => {
        const text = waitForConversation(store, signal, range.from.row).then((conversation) =>
          toFile(
            counted(conversationText(conversation, range, step), (more) => (length += more)),
            'text/plain',
          ),
        );
        // Begins in the event of the copy: later the page may not write.
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
      });
      store.dispatch(copied({ kind: 'selection', length, outcome: outcome === 'done' ? 'copied' : outcome }));
      noteFailure(outcome, NOT_COPIED);
    },
    async exportConversation(format: ExportFormat) {
      store.dispatch(workStarted({ work: 'export', format }));
      const outcome = await works.run('Exporting the conversation', async (step, signal) => {
        const conversation = await waitForConversation(store, signal);
        const today = new Date();
        const timeAt = messageTimes(store.getState());
        const pieces = exportConversation(conversation, format, { readBlob, step, today, timeAt });
        const { ending, type } = EXPORT_FORMATS[format];
        const file = await toFile(pieces, type);
        const name = safeFileName(
          `${exportTitle(conversation)} ${localTime(today).replace(':', '.')}.${ending}`,
        );
        saveFile(file, name);
        store.dispatch(noteShown({ text: 'The conversation is exported. Save it as', path: name }));
      });
      store.dispatch(workEnded({ work: 'export', outcome }));
      noteFailure(outcome, NOT_EXPORTED);
    },
    async print() {
      store.dispatch(workStarted({ work: 'print', format: null }));
      const outcome = await works.run('Preparing the print', async (step, signal) => {
        const conversation = await waitForConversation(store, signal);
        const timeAt = messageTimes(store.getState());
        const area = await createPrintArea(conversation, { step, today: new Date(), timeAt });
        addEventListener('afterprint', () => area.remove(), { once: true });
        window.print();
      });
      store.dispatch(workEnded({ work: 'print', outcome }));
      noteFailure(outcome, NOT_PRINTED);
    },
  };
}

/** Yields the same pieces; passes the length of each to `count`. */
async function* counted(
  pieces: AsyncIterable<string>,
  count: (length: number) => void,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}

/** Fetches a blob from main as base64; resolves to `null` when it is no longer in the conversation. */
const readBlob: ReadBlob = async (path) => {
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

/** The file is kept for this long after it was offered, in milliseconds: the browser may first ask the person for a place. */
const KEPT_MS = 3_600_000;

/** Offers a file as a download: the browser writes it under another name and then renames it, and says when it cannot. */
function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** The length of the pieces that are given to the browser, in UTF-16 units: it stores them outside the page's memory. */
const PIECE_LENGTH = 1024 * 1024;

/** Collects the pieces of a text in a file. */
async function toFile(pieces: AsyncIterable<string>, type: string): Promise<Blob> {
  const parts: Blob[] = [];
  let waiting: string[] = [];
  let length = 0;
  const store = () => {
    parts.push(new Blob(waiting));
    waiting = [];
    length = 0;
  };
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length >= PIECE_LENGTH) store();
  }
  store();
  return new Blob(parts, { type });
}

/**
 * Resolves to the conversation when its messages from an index on have arrived in the window.
 * @throws the signal's reason when it is aborted before.
 */
function waitForConversation(
  { getState, subscribe }: Pick<WindowStore, 'getState' | 'subscribe'>,
  signal: AbortSignal,
  from = 0,
): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { conversation } = getState();
      if (!hasArrived(conversation, from)) return;
      stop();
      resolve(conversation);
    };
    const stop = subscribe(look);
    signal.addEventListener('abort', () => {
      stop();
      reject(signal.reason);
    });
    look();
  });
}
