import { QUEUE_BYTES } from '#shared/limits.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest } from '#shared/fifo.ts';
import type { Source } from '../store/captureSink.ts';
import type { MainStore } from '../store/mainStore.ts';

/** Limits the memory of the updates that wait for their tick. */
export interface QueueMemory {
  /** Adds an update that is about to be dispatched; `bytes` is its memory. */
  add(bytes: number): void;
  stop(): void;
}

/**
 * Pauses the socket when the waiting updates need more than 64 MB of memory, until half of it is released. One update may
 * be larger than the limit: it is received completely, and the socket is paused after it.
 */
export function limitQueueMemory(store: MainStore, socket: Source): QueueMemory {
  let sizes: Fifo<number> = emptyFifo();
  let count = 0;
  let held = 0;
  let isPaused = false;

  const stop = store.subscribe(() => {
    // Updates leave the queue in the order of their arrival.
    for (const { length } = store.getState().queue; count > length; count--) {
      held -= oldest(sizes) ?? 0;
      sizes = dequeue(sizes);
    }
    if (!isPaused && held > QUEUE_BYTES) {
      isPaused = true;
      socket.pause();
    } else if (isPaused && held <= QUEUE_BYTES / 2) {
      isPaused = false;
      socket.resume();
    }
  });
  return {
    add(bytes) {
      sizes = enqueue(sizes, bytes);
      count++;
      held += bytes;
    },
    stop,
  };
}
