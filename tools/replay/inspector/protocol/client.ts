import type { Reply, RequestName, Requests } from './protocol.ts';

/** The worker could not do what it was asked; `message` is for a person to read. */
export class InspectorError extends Error {
  override readonly name = 'InspectorError';
}

/** A newer request of the same name came before this one was answered. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

export interface LoadProgress {
  readonly read: number;
  /** 0 when it is not known. */
  readonly total: number;
}

/** The page's side of the worker. */
export interface InspectorClient {
  /**
   * Asks, and waits for the answer.
   * @throws {InspectorError} when it cannot be answered.
   * @throws {SupersededError} when a newer `filter`, `find` or `edit` took its place.
   */
  ask<N extends RequestName>(name: N, takes: Requests[N]['takes']): Promise<Requests[N]['gives']>;
  /** Hears how far a load is; gives the way to stop hearing. */
  onProgress(listener: (progress: LoadProgress) => void): () => void;
}

interface Asked {
  readonly resolve: (gives: unknown) => void;
  readonly reject: (error: Error) => void;
}

const NOT_STARTED = 'The inspector’s worker could not be started; load the page anew.';

/** A client of a worker that nobody else speaks to. */
export function connectWorker(worker: Worker): InspectorClient {
  const asked = new Map<number, Asked>();
  const listeners = new Set<(progress: LoadProgress) => void>();
  let last = 0;
  let missing: InspectorError | undefined;

  const answer = (reply: Reply): void => {
    if ('progress' in reply) {
      for (const listener of listeners) listener(reply.progress);
      return;
    }
    const waiting = asked.get(reply.id);
    asked.delete(reply.id);
    if ('gives' in reply) waiting?.resolve(reply.gives);
    else if ('superseded' in reply) waiting?.reject(new SupersededError('A newer request took its place.'));
    else waiting?.reject(new InspectorError(reply.error));
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => answer(data));
  const fail = (error: InspectorError): void => {
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  };
  worker.addEventListener('error', ({ message }) => {
    // What is said without words is that there is no script, and so nobody who will ever answer.
    if (!message) missing = new InspectorError(NOT_STARTED);
    fail(missing ?? new InspectorError(`The inspector’s worker failed: ${message}.`));
  });

  return {
    ask: (name, takes) =>
      new Promise((resolve, reject) => {
        if (missing !== undefined) throw missing;
        const id = ++last;
        // The worker answers each name with what belongs to it; TypeScript cannot follow a name through a message.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        asked.set(id, { resolve: resolve as (gives: unknown) => void, reject });
        worker.postMessage({ id, name, takes }, {});
      }),
    onProgress(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
