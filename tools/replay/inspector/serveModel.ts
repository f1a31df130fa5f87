import { type TraceLoader, traceLoader } from './model/trace/traceLoader.ts';
import { type InspectorModel, inspectorModel } from './model/inspectorModel.ts';
import { SessionError } from './model/trace/sessionError.ts';
import type { Task } from './model/trace/task.ts';
import type { Reply, Request, RequestName, Source } from './protocol/protocol.ts';

/** What the worker has of its surroundings. */
export interface Surroundings {
  readonly send: (reply: Reply) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Lets messages come in. */
  readonly turn: () => Promise<void>;
  /** Brings a source's bytes to a loader. */
  readonly read: (source: Source, loader: TraceLoader) => Promise<void>;
}

/** A long task has so much time before others have theirs, milliseconds. */
const SLICE_MS = 8;

/** A request was overtaken by a newer one of its name. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Answers requests. Quick ones are answered as they come; the others are done in slices, and what comes meanwhile is
 * answered first. What is asked while a session loads waits for it.
 */
export function serveModel(surroundings: Surroundings): (request: Request) => void {
  const { send } = surroundings;
  const newest = new Map<RequestName, number>();
  let loading: Promise<InspectorModel> = Promise.reject(new SessionError('Nothing has been loaded yet.'));
  // Nobody has asked for it yet.
  loading.catch(() => undefined);

  async function finished<T>(task: Task<T>, isNewest: () => boolean): Promise<T> {
    let until = surroundings.now() + SLICE_MS;
    for (;;) {
      const { done, value } = task.next();
      if (done) return value;
      if (surroundings.now() < until) continue;
      await surroundings.turn();
      if (!isNewest()) throw new Superseded();
      until = surroundings.now() + SLICE_MS;
    }
  }

  async function load(source: Source): Promise<InspectorModel> {
    const loader = traceLoader(source.name);
    await surroundings.read(source, loader);
    return finished(inspectorModel(loader), () => true);
  }

  async function answerTo(request: Request): Promise<unknown> {
    const isNewest = () => newest.get(request.name) === request.id;
    newest.set(request.name, request.id);
    if (request.name === 'load') {
      loading = load(request.takes.source);
      return (await loading).info;
    }
    const model = await loading;
    if (request.name === 'filter') return finished(model.long.filter(request.takes), isNewest);
    if (request.name === 'find') return finished(model.long.find(request.takes), isNewest);
    if (request.name === 'edit') return finished(model.long.edit(request.takes), isNewest);
    return quickly(model, request);
  }

  return (request) => {
    answerTo(request).then(
      (gives) => send({ id: request.id, gives }),
      (error: unknown) => send(failureOf(request.id, error)),
    );
  };
}

type QuickRequest = Extract<Request, { name: keyof InspectorModel['quick'] }>;

function quickly({ quick }: InspectorModel, { name, takes }: QuickRequest): unknown {
  // Name and takes come as a pair, which the type of a table cannot say.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const answer = quick[name] as (takes: QuickRequest['takes']) => unknown;
  return answer(takes);
}

function failureOf(id: number, error: unknown): Reply {
  const words = error instanceof Error ? error.message : String(error);
  return error instanceof Superseded ? { id, error: words, superseded: true } : { id, error: words };
}
