import { type Cell, cell } from '../base/cell.ts';

/** An alert. `id` distinguishes two alerts with the same text. */
export interface ShownAlert {
  readonly id: number;
  readonly text: string;
}

export interface Alerts extends Pick<Cell<ShownAlert | undefined>, 'get' | 'subscribe'> {
  /** Shows an alert after those that wait already. */
  readonly show: (text: string) => void;
  /** Closes the current alert and shows the next one. */
  readonly dismiss: () => void;
}

/** Creates a queue of alerts, which are shown one after the other. */
export function createAlerts(): Alerts {
  const waiting = cell<readonly ShownAlert[]>([]);
  let ids = 0;
  return {
    get: () => waiting.get()[0],
    subscribe: waiting.subscribe,
    show: (text) => waiting.set([...waiting.get(), { id: ids++, text }]),
    dismiss: () => waiting.set(waiting.get().slice(1)),
  };
}
