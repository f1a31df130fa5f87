import { recordingCancelled, recordingStarted, recordingStopped } from '#shared/actions/mainActions.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { RECORDING_MS } from '#shared/limits.ts';
import type { MainStore } from '../store/mainStore.ts';
import type { AudioWindow } from '../window/messengerWindows.ts';

interface Options {
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly clock: Clock;
  /** The page that recorded is gone: nothing is sent. */
  readonly onLost: () => void;
}

interface ActiveRecording {
  readonly number: number;
  readonly window: AudioWindow;
  /** Cancels the time limit and the listeners of the window. */
  readonly release: Cancel;
}

/**
 * Creates main's part of recording (spec §3.3 rows 1 and 2): it starts, limits and stops; exactly one window records and, at a stop, sends.
 *
 *     not recording ── toggle ──▶ recording ── toggle, or 15 s ──▶ not recording: the window sends
 *           ▲                         │
 *           └── failed, gone, loaded, cancel: the window discards
 */
export function createRecording({ store, clock, onLost }: Options) {
  let active: ActiveRecording | undefined;
  let lastNumber = 0;

  const end = (order: 'stop' | 'discard') => {
    if (active === undefined) return;
    const { number, window, release } = active;
    active = undefined;
    release();
    store.dispatch(order === 'stop' ? recordingStopped() : recordingCancelled());
    window.send('capture', order, number);
  };
  const start = (window: AudioWindow) => {
    lastNumber += 1;
    const cancelLimit = clock.after(RECORDING_MS, () => end('stop'));
    const cancelGone = window.onGone(() => {
      end('discard');
      onLost();
    });
    const release = () => {
      cancelLimit();
      cancelGone();
    };
    active = { number: lastNumber, window, release };
    store.dispatch(recordingStarted());
    window.send('capture', 'start', lastNumber);
  };
  const isActiveIn = (window: AudioWindow | undefined) =>
    active !== undefined && active.window.id === window?.id;

  return {
    /** Starts a recording in this window, or stops the current one. Does nothing without a window. */
    toggle(window: AudioWindow | undefined): void {
      if (active !== undefined) end('stop');
      else if (window !== undefined) start(window);
    },
    /** The window cannot record, or cannot continue. */
    failed(window: AudioWindow | undefined, number: number): void {
      if (isActiveIn(window) && active?.number === number) end('discard');
    },
    /** The window's page has reloaded; returns whether a recording was lost. */
    loaded(window: AudioWindow): boolean {
      const isLost = isActiveIn(window);
      if (isLost) end('discard');
      return isLost;
    },
    /** Discards the recording; nothing is sent. */
    cancel: () => end('discard'),
  };
}
