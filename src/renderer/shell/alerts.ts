import { type Cell, cell } from '../base/cell.ts';

/** Something the person must be told. `id` tells two alerts of the same words apart. */
export interface AlertWords {
  readonly id: number;
  readonly words: string;
}

export interface Alerts extends Pick<Cell<AlertWords | undefined>, 'get' | 'subscribe'> {
  /** Shows the words, after the alerts that are waiting already. */
  readonly show: (words: string) => void;
  /** The one that is shown has been read: the next follows. */
  readonly dismiss: () => void;
}

/** Alerts, shown one after another. */
export function createAlerts(): Alerts {
  const waiting = cell<readonly AlertWords[]>([]);
  let ids = 0;
  return {
    get: () => waiting.get()[0],
    subscribe: waiting.subscribe,
    show: (words) => waiting.set([...waiting.get(), { id: ids++, words }]),
    dismiss: () => waiting.set(waiting.get().slice(1)),
  };
}
