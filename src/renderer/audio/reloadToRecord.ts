import { recordingToggleRequested } from '#shared/actions/userActions.ts';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';

/** The mark in the page's session storage: the reload was made to record. */
const KEY = 'parley-record-after-reload';

interface Deps {
  readonly tools: Pick<ParleyToolsBridge, 'on' | 'send'>;
  /** `null`: the browser refuses it; then the page is not reloaded. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** Returns whether a reload would lose something that the person sees or has entered. */
  readonly losesSomething: () => boolean;
  readonly reload: () => void;
}

/** Reloads the page so that it may use the microphone. */
export interface ReloadToRecord {
  /** Returns whether `reload` loses nothing and can help: directly after such a reload it cannot. */
  isPossible(): boolean;
  /** Reloads the page, which then starts a recording. */
  reload(): void;
}

/**
 * In the web host, the response with the document says whether the page may use the microphone: a page that was loaded while voice was off must be loaded
 * again. Creates the page's part of it, and starts the recording for which this page was loaded.
 *
 *     loaded ── reload() ──▶ loaded for a recording ── main has seen the load: toggleRecording ──▶ loaded
 */
export function createReloadToRecord({ tools, storage, losesSomething, reload }: Deps): ReloadToRecord {
  const wasReloaded = storage?.getItem(KEY) === 'yes';
  storage?.removeItem(KEY);
  if (wasReloaded) {
    // Main discards the recordings of a page that loads, and then requests its state.
    const stop = tools.on('requestState', () => {
      stop();
      tools.send('action', recordingToggleRequested());
    });
  }
  return {
    isPossible: () => storage !== null && !wasReloaded && !losesSomething(),
    reload() {
      storage?.setItem(KEY, 'yes');
      reload();
    },
  };
}
