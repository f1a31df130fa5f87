import { type Cancel, type Clock, every } from '#shared/time/clock.ts';
import type { ClaimedFolder } from './claimDataFolder.ts';

/** Interval of the checks, in milliseconds. */
const WATCH_MS = 1000;

const REMOVED =
  'The data folder was removed or replaced while Parley runs. Nothing is saved from now on: quit Parley, then start it again.';

interface Options {
  readonly folder: Pick<ClaimedFolder, 'isIntact'>;
  readonly clock: Clock;
  readonly log: { error(text: string): void };
  /** Shows a sentence to the person, where there is a window. */
  readonly notify?: (text: string) => void;
}

/** Reports once, in the log and to the person, that the data folder is no longer the one that this process claimed. */
export function watchDataFolder({ folder, clock, log, notify }: Options): Cancel {
  const stop = every(clock, WATCH_MS, () => {
    if (folder.isIntact()) return;
    stop();
    log.error('the data folder was removed or replaced: nothing is saved from now on; restart the program');
    notify?.(REMOVED);
  });
  return stop;
}
