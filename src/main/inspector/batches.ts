import { WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';

/** Texts that go on together: a session that streams must not keep a window busy with messages. */
export interface Batches {
  add(text: string): void;
  /** Sends what waits at once. */
  flush(): void;
}

/** Ten a second. */
export const BATCH_MS = 100;

/** The first text goes on at once, what follows within 100 ms in one. */
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
