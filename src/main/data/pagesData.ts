import { session } from 'electron';
import { apartWindows } from '../window/sender.ts';

/** What the pages show and store of the person's data, as far as a deletion must end it. */
export const pagesData = {
  closeInspector() {
    for (const window of apartWindows()) window.destroy();
  },
  async clearPages() {
    await session.defaultSession.clearStorageData();
    await session.defaultSession.clearCache();
  },
};
