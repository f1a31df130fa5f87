import { safeFileName } from '#shared/safeFileName.ts';
import type { Clock } from '#shared/time/clock.ts';
import { noteShown } from '#shared/actions/windowActions.ts';
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

/** Creates the acts that take long in a long conversation. A sign-out cancels them. */
export function createWorkActs(store: Store, clock: Pick<Clock, 'after'>) {
  const works = createWorkList(clock);
  const noteFailure = (error: unknown, text: string) => {
    if (error !== null) store.dispatch(noteShown({ text }));
  };
  store.subscribe(() => {
    if (store.getState().own.view !== 'conversation') works.cancel();
  });
  return {
    works,
    async copyLater(range: SelectedRange) {
      const error = await works.run('Copying', async (step, signal) => {
        const text = waitForConversation(store, signal, range.from.row).then((conversation) =>
          toFile(conversationText(conversation, range, step), 'text/plain'),
        );
        // Begins in the event of the copy: later the page may not write.
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
      });
      noteFailure(error, NOT_COPIED);
    },
    async exportConversation(format: ExportFormat) {
      const error = await works.run('Exporting the conversation', async (step, signal) => {
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
      noteFailure(error, NOT_EXPORTED);
    },
    async print() {
      const error = await works.run('Preparing the print', async (step, signal) => {
        const conversation = await waitForConversation(store, signal);
        const timeAt = arrivalTimes(store.getState());
        const area = await createPrintArea(conversation, { step, today: new Date(), timeAt });
        addEventListener('afterprint', () => area.remove(), { once: true });
        window.print();
      });
      noteFailure(error, NOT_PRINTED);
    },
  };
}
