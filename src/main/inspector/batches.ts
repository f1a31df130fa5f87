import { WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/clock.ts';

/** Sends texts in batches, so that a streaming session does not keep a window busy with messages. */
export interface Batches {
  add(text: string): void;
  /** Sends the waiting text at once. */
  flush(): void;
}

/** At most ten batches per second. */
const BATCH_MS = 100;

/** Creates the batches: the first text is sent at once, the texts of the next 100 ms together. */
export function createBatches(clock: Clock, send: (text: string) => void): Batches {
  let waiting = '';
  let cancel: Cancel | undefined;
  const flush = () => {
    cancel?.();
    cancel = undefined;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    cancel = clock.after(BATCH_MS, flush);
    send(text);
  };
  return {
    flush,
    add(text) {
      if (waiting.length + text.length > WINDOW_MESSAGE_LENGTH) flush();
      waiting += text;
      if (cancel === undefined) flush();
    },
  };
}
