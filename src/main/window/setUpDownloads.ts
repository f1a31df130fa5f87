import { type WebContents, session } from 'electron';
import { safeFileName } from '#shared/safeFileName.ts';
import { downloadEnded } from '#shared/actions/mainActions.ts';
import type { MainStore } from '../store/mainStore.ts';
import { APP_ORIGIN } from './pages.ts';

/** The addresses that main itself downloads for the person: such a download has no page that began it. */
const requested = new Set<string>();

/** Saves what a page shows at an address. */
export function saveFor(contents: WebContents, url: string): void {
  requested.add(url);
  contents.downloadURL(url);
}

interface Options {
  /** Shows a sentence in every window. */
  readonly notify: (text: string) => void;
  readonly store: Pick<MainStore, 'dispatch'>;
}

/**
 * Allows downloads of our own pages only, and those of `saveFor`. The person selects the place in the system's dialog, which suggests a name that is
 * safe on every system. Saved files are never opened. A browser says itself when a file cannot be saved; Electron does not.
 */
export function setUpDownloads({ notify, store }: Options): void {
  session.defaultSession.on('will-download', (event, item) => {
    const isRequested = requested.delete(item.getURL());
    if (!isRequested && item.getInitiatorOrigin() !== APP_ORIGIN) return event.preventDefault();
    const name = safeFileName(item.getFilename());
    item.once('done', (_, outcome) => {
      store.dispatch(downloadEnded({ outcome }));
      if (outcome === 'interrupted')
        notify(`${name} could not be saved. Check the folder and the space on its disk, then save it again.`);
    });
    return item.setSaveDialogOptions({ defaultPath: name });
  });
}
