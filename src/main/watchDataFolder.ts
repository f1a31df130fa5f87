import type { ClaimedFolder } from '#files/claimDataFolder.ts';
import { type Clock, every } from '#shared/time/clock.ts';
import type { Logger } from './log.ts';

/** How often the folder is looked at, in milliseconds. */
const WATCH_MS = 1000;

const REMOVED =
  'The data folder was removed or replaced while Parley runs. Nothing is saved from now on: quit Parley, then start it again.';

interface Options {
  readonly folder: Pick<ClaimedFolder, 'isIntact'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shows a sentence in every window. */
  readonly notify: (words: string) => void;
}

/** Reports once, in the windows and in the log, that the data folder is no longer the one that this process took. */
export function watchDataFolder({ folder, clock, log, notify }: Options): void {
  const stop = every(clock, WATCH_MS, () => {
    if (folder.isIntact()) return;
    stop();
    log.error('the data folder was removed or replaced: nothing is saved from now on');
    notify(REMOVED);
  });
}
