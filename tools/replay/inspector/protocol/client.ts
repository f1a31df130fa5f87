import type { Clock } from '#shared/time/clock.ts';
import type { LoadProgress, Reply, Request, RequestName, Requests } from './requests.ts';
import { type StartWorker, watchWorker } from './watchWorker.ts';

/** The error for a request that failed in the worker; `message` is for the person. */
class InspectorError extends Error {
  override readonly name: string = 'InspectorError';
}

/** The error for a request that a newer request of the same name superseded. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

/** The error for a search that took too long. The session and its edits are loaded again. */
export class StoppedError extends InspectorError {
  override readonly name = 'StoppedError';
}

/** The client of the worker, for the page. */
export interface InspectorClient {
  /**
   * Sends a request and waits for the answer.
   * @throws {InspectorError} when the request fails.
   * @throws {SupersededError} when a newer long request of the same name superseded it.
   * @throws {StoppedError} when it is a search that computed for 2 s at one step.
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

const STOPPED =
  'This search took more than 2 s at one step and was stopped. Simplify its pattern: a repetition in a repetition, such as (a+)+, can take forever. ' +
  'The capture and its edits are loaded again.';

/** Starts a worker and creates its client; see {@link watchWorker}. */
export function connectWorker(start: StartWorker, clock: Clock): InspectorClient {
  const pending = new Map<number, PendingRequest>();
  const listeners = new Set<(progress: LoadProgress) => void>();
  let last = 0;
  let missing: InspectorError | undefined;

  const answer = (reply: Exclude<Reply, { searching: unknown }>): void => {
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
  const fail = (error: InspectorError): void => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  const post = watchWorker({
    start,
    clock,
    onReply: answer,
    onError(message) {
      // An error without a message means that the script could not be loaded; no request will be answered.
      if (!message) missing = new InspectorError(NOT_STARTED);
      fail(missing ?? new InspectorError(`The inspector’s worker failed: ${message}.`));
    },
    onStopped(id) {
      pending.get(id)?.reject(new StoppedError(STOPPED));
      pending.delete(id);
    },
  });

  return {
    request: (name, params) =>
      new Promise((resolve, reject) => {
        if (missing !== undefined) throw missing;
        const id = ++last;
        // The worker answers each name with its type of result; TypeScript cannot check that across a message.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
        // The name and its params belong together; a pair of generic values cannot express that.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        post({ id, name, params } as Request);
      }),
    onProgress(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
