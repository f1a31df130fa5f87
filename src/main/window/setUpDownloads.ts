import { session } from 'electron';
import { safeFileName } from '#shared/safeFileName.ts';
import { APP_ORIGIN } from './pages.ts';

/**
 * Allows downloads of our own pages only. The person selects the place in the system's dialog, which suggests a name that is
 * safe on every system. Saved files are never opened.
 */
export function setUpDownloads(): void {
  session.defaultSession.on('will-download', (event, item) => {
    if (item.getInitiatorOrigin() !== APP_ORIGIN) return event.preventDefault();
    return item.setSaveDialogOptions({ defaultPath: safeFileName(item.getFilename()) });
  });
}
