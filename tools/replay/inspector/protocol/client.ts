import { type Cancel, type Clock, every } from '#shared/time/clock.ts';
import type { LoadProgress, Reply, Request, RequestName, Requests } from './protocol.ts';

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

/** The inspector's worker, as the page uses it. */
interface RunningWorker {
  post(request: Request): void;
  terminate(): void;
}

/** Starts a worker. The message of an error is empty when the script could not be loaded. */
export type StartWorker = (
  onReply: (reply: Reply) => void,
  onError: (message: string) => void,
) => RunningWorker;

/** How a worker is started and watched. */
interface Watched {
  readonly start: StartWorker;
  readonly clock: Clock;
  readonly onReply: (reply: Exclude<Reply, { searching: unknown }>) => void;
  readonly onError: (message: string) => void;
  /** Called when a worker is ended; `id` is that of the search that it computed. */
  readonly onStopped: (id: number) => void;
}

/** A search may compute for 2 s without a pause. They are counted in ticks: when the page itself was busy, it reads its messages before the next tick. */
const TICK_MS = 500;
const TICKS = 4;

/** The requests that change what the worker has. */
const CHANGES: ReadonlySet<RequestName> = new Set<RequestName>(['load', 'append', 'edit', 'filter']);
/** The changes that replace the former ones of their name. */
const REPLACING: ReadonlySet<RequestName> = new Set<RequestName>(['edit', 'filter']);

/**
 * Starts a worker and returns a function that sends it a request. A worker in which a search computes for 2 s without a pause, as a regular
 * expression can, is ended. A new one then makes the same changes, one after the other: it loads the session and its edits, and filters the list.
 * After these, it answers the requests that the ended one has not answered, except the search.
 */
function watchWorker(watched: Watched): (request: Request) => void {
  const { start, onReply, onError, onStopped } = watched;
  const unanswered = new Map<number, Request>();
  /** The newest load, and the changes after it. */
  let changes: Request[] = [];
  /** The changes that a new worker still has to make; it makes the first one now. */
  let repeated: Request[] = [];
  /** The requests that wait for these. */
  let held: Request[] = [];
  const watch = watchSearches(watched.clock, restart);
  let worker = begin();

  function begin(): RunningWorker {
    const begun: RunningWorker = start(
      (reply) => begun === worker && take(reply),
      (message) => begun === worker && onError(message),
    );
    return begun;
  }

  function take(reply: Reply): void {
    if ('searching' in reply) return watch(reply.searching);
    onReply(reply);
    if ('progress' in reply) return;
    const request = unanswered.get(reply.id);
    unanswered.delete(reply.id);
    if (request !== undefined) changes = changesAfter(changes, request, 'result' in reply);
    if (reply.id !== repeated[0]?.id) return;
    repeated.shift();
    postNext();
  }

  function restart(search: number): void {
    worker.terminate();
    worker = begin();
    unanswered.delete(search);
    onStopped(search);
    repeated = withJoinedAppends(changes, unanswered);
    const others = [...unanswered.values()].filter((request) => !changes.includes(request));
    for (const { id } of others.filter(({ name }) => name === 'load'))
      onReply({ id, error: 'Another session was opened', superseded: true });
    held = others.filter(({ name }) => name !== 'load');
    postNext();
  }

  /** Posts the next of the repeated changes; after the last one, the requests that wait. */
  function postNext(): void {
    const [next] = repeated;
    const posted = next === undefined ? held.splice(0) : [next];
    for (const request of posted) worker.post(request);
  }

  return (request) => {
    unanswered.set(request.id, request);
    // A new session makes the changes of the former one needless.
    if (request.name === 'load') [changes, repeated] = [[], []];
    if (CHANGES.has(request.name)) changes.push(request);
    held.push(request);
    if (repeated.length === 0) postNext();
  };
}

/** Returns a function that receives the search that computes now, if any; calls `onLate` for one that does so for too long. */
function watchSearches(clock: Clock, onLate: (search: number) => void): (search: number | undefined) => void {
  let cancel: Cancel | undefined;
  return (search) => {
    cancel?.();
    if (search === undefined) return;
    let ticks = 0;
    cancel = every(clock, TICK_MS, () => {
      ticks += 1;
      if (ticks < TICKS) return;
      cancel?.();
      onLate(search);
    });
  };
}

/** Returns the changes after an answer: one that replaces others and was made replaces the former ones, and one that failed is not a change. */
const changesAfter = (changes: Request[], { id, name }: Request, isMade: boolean): Request[] =>
  REPLACING.has(name)
    ? changes.filter((one) => one.name !== name || (isMade ? one.id >= id : one.id !== id))
    : changes;

/** Joins answered appends that follow each other: a live session makes ten a second, each of which describes the session. */
function withJoinedAppends(changes: readonly Request[], unanswered: ReadonlyMap<number, Request>): Request[] {
  const joined: Request[] = [];
  for (const change of changes) {
    const before = joined.at(-1);
    if (before?.name === 'append' && change.name === 'append' && !unanswered.has(change.id))
      joined.splice(-1, 1, { ...change, params: { text: before.params.text + change.params.text } });
    else joined.push(change);
  }
  return joined;
}
