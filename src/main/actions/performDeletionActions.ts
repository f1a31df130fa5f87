import { session } from 'electron';
import { dataDeletionRequested } from '#shared/actions/userActions.ts';
import type { Settings } from '#shared/settings.ts';
import { dataDeleted, deletionAnnounced } from '#shared/actions/mainActions.ts';
import type { Recorder } from '../capture/recorder.ts';
import { builtInPlatform } from '../data/builtInPlatform.ts';
import { deleteData } from '../data/deleteData.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { excludedWindows } from '../window/messengerWindows.ts';
import { sendToolsToAll } from '../window/sendToWindows.ts';

type Options = Omit<Parameters<typeof deleteData>[0], keyof typeof PAGES | 'builtInPlatform'> & {
  readonly settings: Settings;
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'signOut' | 'refuseSignInsDuring'>;
  readonly recorder: Pick<Recorder, 'idle' | 'forget'>;
};

/** Deletes the person's data, when it is requested. A second deletion follows the first one. No sign-in is accepted meanwhile. */
export function performDeletionActions(options: Options): void {
  const { listeners, messenger, recorder, store } = options;
  const platform = builtInPlatform(options.settings, process.env);
  const perform = async (choice: { readonly platformFile: boolean }) => {
    const text = await messenger.refuseSignInsDuring(() =>
      deleteData({ ...options, ...PAGES, builtInPlatform: platform }, choice),
    );
    recorder.forget();
    store.dispatch(dataDeleted());
    store.dispatch(deletionAnnounced({ text }));
    // The recorder has forgotten it.
    sendToolsToAll('requestState');
  };
  let last: Promise<void> = Promise.resolve();
  listeners.startListening({
    actionCreator: dataDeletionRequested,
    async effect({ payload }) {
      last = last.catch(() => {}).then(() => perform(payload));
      await last;
    },
  });
}

/** Deletes the person's data that the pages show and store. */
const PAGES = {
  closeInspector() {
    for (const window of excludedWindows()) window.destroy();
  },
  async clearPages() {
    await session.defaultSession.clearStorageData();
    await session.defaultSession.clearCache();
  },
};
