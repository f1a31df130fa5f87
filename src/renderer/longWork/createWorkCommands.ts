import { safeFileName } from '#shared/safeFileName.ts';
import type { Clock } from '#shared/clock.ts';
import { copied, noteShown, workEnded, workStarted } from '#shared/actions/windowActions.ts';
import { arrivalTimes } from '#ui/base/Arrival.tsx';
import { createPrintArea } from '#ui/export/createPrintArea.ts';
import { EXPORT_FORMATS, type ExportFormat, exportConversation } from '#ui/export/exportConversation.ts';
import { exportTitle, localTime } from '#ui/export/exportTitle.ts';
import { conversationText } from '#ui/export/useCopy.ts';
import type { SelectedRange } from '#ui/export/selectedRange.ts';
import type { WindowStore } from '../store/createWindowStore.ts';
import { createWorkList } from './createWorkList.ts';
import { readBlob } from './readBlob.ts';
import { saveFile } from './saveFile.ts';
import { toFile } from './toFile.ts';
import { waitForConversation } from './waitForConversation.ts';

const NOT_COPIED = 'The messages could not be copied. Keep this window in front, and copy them again.';
const NOT_EXPORTED =
  'The conversation could not be exported: it needs too much memory. Export it as plain text.';
const NOT_PRINTED = 'The conversation could not be printed. Export it, and print the file.';

type Store = Pick<WindowStore, 'getState' | 'subscribe' | 'dispatch'>;

/** Creates the commands that take long in a long conversation. A sign-out cancels them. */
export function createWorkCommands(store: Store, clock: Pick<Clock, 'after'>) {
  const works = createWorkList(clock);
  const noteFailure = (outcome: string, text: string) => {
    if (outcome === 'failed') store.dispatch(noteShown({ text }));
  };
  store.subscribe(() => {
    if (store.getState().own.view !== 'conversation') works.cancel();
  });
  return {
    works,
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
        const timeAt = arrivalTimes(store.getState());
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
        const timeAt = arrivalTimes(store.getState());
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
