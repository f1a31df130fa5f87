import { session } from 'electron';
import { safeFileName } from '#shared/safeFileName.ts';
import { APP_ORIGIN } from './pages.ts';

/**
 * Only our own pages save files. A person says where, in the system's dialog, which begins with a name that is safe on
 * any system; nothing that was saved is opened.
 */
export function setUpDownloads(): void {
  session.defaultSession.on('will-download', (event, item) => {
    if (item.getInitiatorOrigin() !== APP_ORIGIN) return event.preventDefault();
    return item.setSaveDialogOptions({ defaultPath: safeFileName(item.getFilename()) });
  });
}
