import type { BrokenLines } from '../read/captureDecoder.ts';
import { recordLoader } from '../read/recordLoader.ts';
import { type InspectorModel, WHOLE, inspectorModel } from './model/inspectorModel.ts';
import { type AppOfCapture, type InspectedApp, SessionError } from './model/trace/app.ts';
import type { Task } from './model/trace/task.ts';
import { TraceLoader } from './model/trace/TraceLoader.ts';
import type { Reply, Request, RequestName, SessionInfo, Source } from './protocol/protocol.ts';
import { type OnRead, type Reading, explainSource } from './readSource.ts';

/** What the model needs from the worker. */
export interface Environment {
  readonly send: (reply: Reply) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Waits until the messages that have arrived are handled. */
  readonly yieldToMessages: () => Promise<void>;
  /** Passes the bytes of a source to a loader. */
  readonly read: (source: Source, reading: Reading) => Promise<void>;
  /** Returns the app whose sessions are shown, or that of a capture. @throws {SessionError} */
  readonly app: () => InspectedApp | AppOfCapture;
}

/** The time between two progress messages of a load, in milliseconds: the page renders each one. */
const PROGRESS_MS = 100;
/** The time after which a load shows the part of the session that it has read, in milliseconds. */
const PARTIAL_MS = 200;
/** The time slice of a long task, in milliseconds. */
const SLICE_MS = 8;

/** The error for a request that a newer one of the same name superseded. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Returns a handler of requests. It answers quick requests immediately and works on long ones in time slices, between which it
 * answers new requests. During a long load, it answers those about single steps with the part that has been read; others wait for the load.
 */
export function serveModel(environment: Environment): (request: Request) => void {
  const { send } = environment;
  const newest = new Map<RequestName, number>();
  let loading: Promise<InspectorModel> = Promise.reject(new SessionError('Nothing has been loaded yet.'));
  // Prevents an unhandled rejection before the first request.
  loading.catch(() => undefined);
  /** The model of the part that has been read, or of the whole session. */
  let beginning = loading;

  async function answerTo(request: Request): Promise<unknown> {
    const isNewest = () => newest.get(request.name) === request.id;
    newest.set(request.name, request.id);
    if (request.name === 'load') {
      beginning = new Promise((resolve, reject) => {
        loading = load(environment, request.params.source, { isNewest, onPart: resolve });
        loading.then(resolve, reject);
      });
      beginning.catch(() => undefined);
      return (await loading).info;
    }
    const model = await (WHOLE.has(request.name) ? loading : beginning);
    if (Object.hasOwn(model.quick, request.name)) return callNamed(model.quick, request);
    // Searches evaluate what the person has entered, which can take forever.
    const search = request.name === 'find' || request.name === 'findBreak' ? request.id : undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return runInSlices(environment, callNamed(model.long, request) as Task<unknown>, { isNewest, search });
  }

  return (request) => {
    answerTo(request)
      .then((result) => send({ id: request.id, result }))
      // Also when the result cannot be sent, because it has a value of an app that is not plain data.
      .catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        send({ id: request.id, error: text, ...(error instanceof Superseded && { superseded: true }) });
      });
  };
}

/** Calls the function of a table that has the name of a request. */
function callNamed(table: object, { name, params }: Request): unknown {
  // The name and its params belong together; the type of a table cannot express that.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (table as Readonly<Record<string, (given: typeof params) => unknown>>)[name]?.(params);
}

interface Slices {
  readonly isNewest: () => boolean;
  /** The id of a search. The worker tells the page when a slice of the search begins and ends; the page ends a worker whose slice does not end. */
  readonly search: number | undefined;
}

/** Runs a task in time slices. @throws {Superseded} when it is not the newest of its name any more. */
async function runInSlices<T>(
  { send, now, yieldToMessages }: Environment,
  task: Task<T>,
  { isNewest, search }: Slices,
): Promise<T> {
  for (;;) {
    if (search !== undefined) send({ searching: search });
    try {
      const until = now() + SLICE_MS;
      do {
        const { done, value } = task.next();
        if (done) return value;
      } while (now() < until);
    } finally {
      if (search !== undefined) send({ searching: undefined });
    }
    await yieldToMessages();
    if (!isNewest()) throw new Superseded();
  }
}

interface Loading {
  /** Returns whether no newer load has begun. */
  readonly isNewest: () => boolean;
  /** Receives the model of the part that has been read. */
  readonly onPart: (model: InspectorModel) => void;
}

/** Loads a source. @throws {SessionError | CaptureError} when it is not a capture. */
async function load(
  environment: Environment,
  source: Source,
  { isNewest, onPart }: Loading,
): Promise<InspectorModel> {
  // A live session continues after a line that cannot be used; of a file, the part before it is shown.
  const brokenLines = source.kind === 'text' ? 'skipped' : 'end';
  const app = await appFor(environment, source, brokenLines);
  const loader = new TraceLoader(source.name, { brokenLines, app });
  app.warnings?.forEach((warning) => loader.warn(warning));
  let part: InspectorModel | undefined;
  const onRead = progressReporter(environment, () => {
    const trace = loader.trace();
    part ??= trace && inspectorModel(loader, trace);
    if (part !== undefined) onPart(part);
    return part?.info;
  });
  try {
    await environment.read(source, {
      loader,
      // The progress of an older load would be shown as that of the newer one.
      onRead: (read, total) => isNewest() && onRead(read, total),
    });
    const always = { isNewest: () => true, search: undefined };
    const whole = await runInSlices(environment, loader.settle(), always);
    // The part has the list that the page has filtered.
    return part ?? inspectorModel(loader, whole);
  } catch (error) {
    const explanation = await explainSource(source);
    throw explanation === undefined ? error : new SessionError(explanation, { cause: error });
  }
}

/** Returns the app that shows a source. That of a store gets all records before the first one is shown. */
async function appFor(
  { app, read }: Environment,
  source: Source,
  brokenLines: BrokenLines,
): Promise<InspectedApp> {
  const found = app();
  if (typeof found !== 'function') return found;
  const loader = recordLoader(source.name, brokenLines);
  await read(source, { loader, onRead: () => undefined });
  return found(loader.capture());
}

/**
 * Returns a function that sends the progress of a load, at most ten times a second. After a short time, and whenever the session has
 * become twice as long, the progress contains the description of the part that has been read.
 */
function progressReporter({ send, now }: Environment, partInfo: () => SessionInfo | undefined): OnRead {
  const start = now();
  let reportedAt = -Infinity;
  let shown = 0;
  return (read, total) => {
    const time = now();
    if (time - reportedAt < PROGRESS_MS && read !== total) return;
    reportedAt = time;
    const info = time - start < PARTIAL_MS || read === total ? undefined : partInfo();
    const isGrown = info !== undefined && info.steps >= 2 * shown;
    if (isGrown) shown = Math.max(1, info.steps);
    send({ progress: { read, total, ...(isGrown && { info }) } });
  };
}
