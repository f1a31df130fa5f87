import { type Cancel, type Clock, every } from '#shared/clock.ts';
import type { LoadProgress, Params, Reply, Request, RequestName, Result } from './protocol.ts';

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

/** Starts a worker. The message of an error is empty when the script could not be loaded. */
export type StartWorker = (
  onReply: (reply: Reply) => void,
  onError: (message: string) => void,
) => RunningWorker;

/** The inspector's worker, as the page uses it. */
interface RunningWorker {
  post(request: Request): void;
  terminate(): void;
}

/** A request without an answer. */
interface Pending {
  readonly request: Request;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const NEWER = 'A newer request took its place.';
const NOT_STARTED = 'The inspector’s worker could not be started; reload the page.';

const STOPPED =
  'This search took more than 2 s at one step and was stopped. Simplify its pattern: a repetition in a repetition, such as (a+)+, can take forever. ' +
  'The capture and its edits are loaded again.';

/** A search may compute for 2 s without a pause. They are counted in ticks: when the page itself was busy, it reads its messages before the next tick. */
const TICK_MS = 500;
const TICKS = 4;

/** The requests that change what the worker has. */
const CHANGES: ReadonlySet<RequestName> = new Set<RequestName>(['load', 'append', 'edit', 'filter']);
/** The changes that replace the former ones of their name. */
const REPLACING: ReadonlySet<RequestName> = new Set<RequestName>(['edit', 'filter']);

/** What the page uses of the {@link WorkerClient}. */
export type InspectorClient = Pick<WorkerClient, 'request' | 'onProgress'>;

/**
 * The client of a worker, which it starts. A worker in which a search computes for 2 s without a pause, as a regular expression can, is ended. A new
 * one then makes the same changes, one after the other: it loads the session and its edits, and filters the list. After these, it answers the
 * requests that the ended one has not answered, except the search.
 */
export class WorkerClient {
  readonly #start: StartWorker;
  readonly #watch: (search: number | undefined) => void;
  readonly #listeners = new Set<(progress: LoadProgress) => void>();
  readonly #pending = new Map<number, Pending>();
  #worker: RunningWorker;
  #lastId = 0;
  #missing: InspectorError | undefined;
  /** The newest load, and the changes after it. */
  #changes: Request[] = [];
  /** The changes that a new worker still has to make; it makes the first one now. */
  #repeated: Request[] = [];
  /** The requests that wait for these. */
  #held: Request[] = [];

  constructor(start: StartWorker, clock: Clock) {
    this.#start = start;
    this.#watch = watchSearches(clock, (search) => this.#restart(search));
    this.#worker = this.#begin();
  }

  /**
   * Sends a request and waits for the answer.
   * @throws {InspectorError} when the request fails.
   * @throws {SupersededError} when a newer long request of the same name superseded it.
   * @throws {StoppedError} when it is a search that computed for 2 s at one step.
   */
  request<N extends RequestName>(name: N, params: Params<N>): Promise<Result<N>> {
    return new Promise((resolve, reject) => {
      if (this.#missing !== undefined) throw this.#missing;
      // The name and its params belong together; a pair of generic values cannot express that.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const request = { id: ++this.#lastId, name, params } as Request;
      // The worker answers each name with its type of result; TypeScript cannot check that across a message.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      this.#pending.set(request.id, { request, resolve: resolve as Pending['resolve'], reject });
      // A new session makes the changes of the former one needless.
      if (name === 'load') [this.#changes, this.#repeated] = [[], []];
      if (CHANGES.has(name)) this.#changes.push(request);
      this.#held.push(request);
      if (this.#repeated.length === 0) this.#postNext();
    });
  }

  /** Subscribes to the progress of a load; returns a function that unsubscribes. */
  onProgress(listener: (progress: LoadProgress) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #begin(): RunningWorker {
    const begun: RunningWorker = this.#start(
      (reply) => begun === this.#worker && this.#take(reply),
      (message) => begun === this.#worker && this.#fail(message),
    );
    return begun;
  }

  #take(reply: Reply): void {
    if ('searching' in reply) return this.#watch(reply.searching);
    if ('progress' in reply) return this.#listeners.forEach((listener) => listener(reply.progress));
    const { id } = reply;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending !== undefined)
      this.#changes = changesAfter(this.#changes, pending.request, 'result' in reply);
    if ('result' in reply) pending?.resolve(reply.result);
    else
      pending?.reject('superseded' in reply ? new SupersededError(NEWER) : new InspectorError(reply.error));
    if (id !== this.#repeated[0]?.id) return;
    this.#repeated.shift();
    this.#postNext();
  }

  #fail(message: string): void {
    // An error without a message means that the script could not be loaded; no request will be answered.
    if (!message) this.#missing = new InspectorError(NOT_STARTED);
    const error = this.#missing ?? new InspectorError(`The inspector’s worker failed: ${message}.`);
    for (const id of this.#pending.keys()) this.#reject(id, error);
  }

  #reject(id: number, error: Error): void {
    this.#pending.get(id)?.reject(error);
    this.#pending.delete(id);
  }

  #restart(search: number): void {
    this.#worker.terminate();
    this.#worker = this.#begin();
    this.#reject(search, new StoppedError(STOPPED));
    this.#repeated = withJoinedAppends(this.#changes, this.#pending);
    this.#held = [];
    for (const { request } of this.#pending.values()) {
      if (this.#changes.includes(request)) continue;
      // Another session was opened since.
      if (request.name === 'load') this.#reject(request.id, new SupersededError(NEWER));
      else this.#held.push(request);
    }
    this.#postNext();
  }

  /** Posts the next of the repeated changes; after the last one, the requests that wait. */
  #postNext(): void {
    const [next] = this.#repeated;
    for (const request of next === undefined ? this.#held.splice(0) : [next]) this.#worker.post(request);
  }
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
function withJoinedAppends(changes: readonly Request[], pending: ReadonlyMap<number, Pending>): Request[] {
  const joined: Request[] = [];
  for (const change of changes) {
    const before = joined.at(-1);
    if (before?.name === 'append' && change.name === 'append' && !pending.has(change.id))
      joined.splice(-1, 1, { ...change, params: { text: before.params.text + change.params.text } });
    else joined.push(change);
  }
  return joined;
}
