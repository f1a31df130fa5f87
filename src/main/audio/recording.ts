import { RECORDING_MS } from '#shared/limits.ts';
import { recordingCancelled, recordingStarted, recordingStopped } from '#shared/store/audio.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import type { MainStore } from '../store/mainStore.ts';
import type { AudioWindow } from './audioWindow.ts';

interface Options {
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly clock: Clock;
  /** The page that captured is no more: nothing is sent. */
  readonly onLost: (window: AudioWindow) => void;
}

/** Main's half of recording: it times and decides; exactly one window captures and, at a stop, sends. */
export interface Recording {
  /** Starts in this window, or stops whichever is on. Without a window there is nothing to start in. */
  toggle(window: AudioWindow | undefined): void;
  /** That window could not capture, or not go on. */
  failed(window: AudioWindow, number: number): void;
  /** That window's page has been loaded anew; answers whether a recording was lost with the old one. */
  loaded(window: AudioWindow): boolean;
  /** Ends it; nothing is sent. */
  cancel(): void;
}

interface Take {
  readonly number: number;
  readonly window: AudioWindow;
  /** Lets go of the time limit and of the window. */
  readonly release: Cancel;
}

/**
 * Spec §3.3, rows 1 and 2:
 *
 *     not recording ── toggle ──▶ recording ── toggle, or 15 s ──▶ not recording: the window sends
 *           ▲                         │
 *           └── failed, gone, loaded, cancel: the window discards
 */
export function createRecording({ store, clock, onLost }: Options): Recording {
  let take: Take | undefined;
  let lastNumber = 0;

  const end = (order: 'stop' | 'discard') => {
    if (take === undefined) return;
    const { number, window, release } = take;
    take = undefined;
    release();
    store.dispatch(order === 'stop' ? recordingStopped() : recordingCancelled());
    window.tell('capture', order, number);
  };
  const start = (window: AudioWindow) => {
    lastNumber += 1;
    const cancelLimit = clock.after(RECORDING_MS, () => end('stop'));
    const cancelGone = window.onGone(() => {
      end('discard');
      onLost(window);
    });
    const release = () => {
      cancelLimit();
      cancelGone();
    };
    take = { number: lastNumber, window, release };
    store.dispatch(recordingStarted());
    window.tell('capture', 'start', lastNumber);
  };
  const isIn = (window: AudioWindow) => take?.window.id === window.id;

  return {
    toggle(window) {
      if (take !== undefined) end('stop');
      else if (window !== undefined) start(window);
    },
    failed(window, number) {
      if (isIn(window) && take?.number === number) end('discard');
    },
    loaded(window) {
      const isLost = isIn(window);
      if (isLost) end('discard');
      return isLost;
    },
    cancel: () => end('discard'),
  };
}
