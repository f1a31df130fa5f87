import { type TraceLoader, traceLoader } from './model/trace/traceLoader.ts';
import { explainSource } from './explainSource.ts';
import { type InspectorModel, inspectorModel } from './model/inspectorModel.ts';
import { SessionError } from './model/trace/sessionError.ts';
import type { Task } from './model/trace/task.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import type { Source } from './protocol/protocol.ts';
import type { Reply, Request, RequestName } from './protocol/requests.ts';

/** What the model needs from the worker. */
export interface Environment {
  readonly send: (reply: Reply) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Waits until the messages that have arrived are handled. */
  readonly yieldToMessages: () => Promise<void>;
  /** Passes the bytes of a source to a loader. */
  readonly read: (source: Source, loader: TraceLoader) => Promise<void>;
  /** Returns the adapter of another app than Parley. @throws {SessionError} */
  readonly adapter?: () => AppAdapter | undefined;
}

/** The time slice of a long task, in milliseconds. */
const SLICE_MS = 8;

/** The error for a request that a newer one of the same name superseded. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Returns a handler of requests. It answers quick requests immediately and works on long ones in time slices, between which it
 * answers new requests. Requests that arrive during a load wait for it.
 */
export function serveModel(environment: Environment): (request: Request) => void {
  const { send } = environment;
  const newest = new Map<RequestName, number>();
  let loading: Promise<InspectorModel> = Promise.reject(new SessionError('Nothing has been loaded yet.'));
  // Prevents an unhandled rejection before the first request.
  loading.catch(() => undefined);

  async function runTask<T>(task: Task<T>, isNewest: () => boolean): Promise<T> {
    let until = environment.now() + SLICE_MS;
    for (;;) {
      const { done, value } = task.next();
      if (done) return value;
      if (environment.now() < until) continue;
      await environment.yieldToMessages();
      if (!isNewest()) throw new Superseded();
      until = environment.now() + SLICE_MS;
    }
  }

  async function load(source: Source): Promise<InspectorModel> {
    const loader = loaderOf(environment, source);
    try {
      await environment.read(source, loader);
      return await runTask(inspectorModel(loader), () => true);
    } catch (error) {
      const explanation = await explainSource(source);
      throw explanation === undefined ? error : new SessionError(explanation, { cause: error });
    }
  }

  async function answerTo(request: Request): Promise<unknown> {
    const isNewest = () => newest.get(request.name) === request.id;
    newest.set(request.name, request.id);
    if (request.name === 'load') {
      loading = load(request.params.source);
      return (await loading).info;
    }
    const model = await loading;
    if (isQuick(request)) return answerQuick(model, request);
    return runTask(longTask(model, request), isNewest);
  }

  return (request) => {
    answerTo(request)
      .then((result) => send({ id: request.id, result }))
      // Also when the result cannot be sent, because it has a value of an app that is not plain data.
      .catch((error: unknown) => send(failureOf(request.id, error)));
  };
}

/** Creates the loader of a source. A live session continues after a line that cannot be used. */
const loaderOf = ({ adapter }: Environment, { name, kind }: Source): TraceLoader =>
  traceLoader(name, { skipsBrokenLines: kind === 'text', adapter: adapter?.() });

type LongRequest = Extract<Request, { name: keyof InspectorModel['long'] }>;

const LONG: ReadonlySet<RequestName> = new Set<LongRequest['name']>([
  'filter',
  'find',
  'findBreak',
  'searchState',
  'deltas',
  'edit',
]);

const isQuick = (request: Exclude<Request, { name: 'load' }>): request is QuickRequest =>
  !LONG.has(request.name);

function longTask({ long }: InspectorModel, request: LongRequest): Task<unknown> {
  // The name and its params belong together; the type of a table cannot express that.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const start = long[request.name] as (params: LongRequest['params']) => Task<unknown>;
  return start(request.params);
}

type QuickRequest = Extract<Request, { name: keyof InspectorModel['quick'] }>;

function answerQuick({ quick }: InspectorModel, { name, params }: QuickRequest): unknown {
  // The name and its params belong together; the type of a table cannot express that.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const answer = quick[name] as (params: QuickRequest['params']) => unknown;
  return answer(params);
}

function failureOf(id: number, error: unknown): Reply {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof Superseded ? { id, error: text, superseded: true } : { id, error: text };
}
