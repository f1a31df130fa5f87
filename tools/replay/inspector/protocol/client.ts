import type { LoadProgress, Reply, RequestName, Requests } from './requests.ts';

/** The error for a request that failed in the worker; `message` is for the person. */
class InspectorError extends Error {
  override readonly name = 'InspectorError';
}

/** The error for a request that a newer request of the same name superseded. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** The client of the worker, for the page. */
export interface InspectorClient {
  /**
   * Sends a request and waits for the answer.
   * @throws {InspectorError} when the request fails.
   * @throws {SupersededError} when a newer long request of the same name superseded it.
   */
  request<N extends RequestName>(name: N, params: Requests[N]['params']): Promise<Requests[N]['result']>;
  /** Subscribes to the progress of a load; returns a function that unsubscribes. */
  onProgress(listener: (progress: LoadProgress) => void): () => void;
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const NOT_STARTED = 'The inspector’s worker could not be started; reload the page.';

/** Creates a client of a worker; the worker must have no other client. */
export function connectWorker(worker: Worker): InspectorClient {
  const pending = new Map<number, PendingRequest>();
  const listeners = new Set<(progress: LoadProgress) => void>();
  let last = 0;
  let missing: InspectorError | undefined;

  const answer = (reply: Reply): void => {
    if ('progress' in reply) {
      for (const listener of listeners) listener(reply.progress);
      return;
    }
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('result' in reply) waiting?.resolve(reply.result);
    else if ('superseded' in reply) waiting?.reject(new SupersededError('A newer request took its place.'));
    else waiting?.reject(new InspectorError(reply.error));
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => answer(data));
  const fail = (error: InspectorError): void => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.addEventListener('error', ({ message }) => {
    // An error without a message means that the script could not be loaded; no request will be answered.
    if (!message) missing = new InspectorError(NOT_STARTED);
    fail(missing ?? new InspectorError(`The inspector’s worker failed: ${message}.`));
  });

  return {
    request: (name, params) =>
      new Promise((resolve, reject) => {
        if (missing !== undefined) throw missing;
        const id = ++last;
        // The worker answers each name with its type of result; TypeScript cannot check that across a message.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
        worker.postMessage({ id, name, params }, {});
      }),
    onProgress(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
