import type { Branch, EditedInfo, SessionInfo, StepRow } from '../protocol/protocol.ts';
import type { RequestName, Requests } from '../protocol/requests.ts';
import { type Trace, lastStep } from './trace/trace.ts';
import type { TraceLoader } from './trace/traceLoader.ts';
import type { Session } from './trace/session.ts';
import { traceReader } from './trace/traceState.ts';
import { editTrace } from './editTrace.ts';
import { filterSteps, type StepList } from './search/filterSteps.ts';
import { findBreak, findStep } from './search/findStep.ts';
import { countBelow, countUpTo } from './trace/growableColumn.ts';
import { stepDeltas } from './stepDeltas.ts';
import { stepKeys } from './stepKeys.ts';
import { saveTrace } from './trace/saveTrace.ts';
import { SessionError } from './trace/sessionError.ts';
import { sessionInfo } from './sessionInfo.ts';
import { jsonAt, searchTree, treeNodes } from './trace/stateTree.ts';
import { stepRow } from './trace/stepRow.ts';
import { appSession } from './appSession.ts';
import { parleySession } from './parleySession.ts';
import { stepView } from './stepView.ts';
import type { Task } from './trace/task.ts';
import { runTask } from './trace/task.ts';
import { buildTimeline } from './buildTimeline.ts';

/** Requests that are answered immediately. */
type QuickName =
  | 'append'
  | 'timeline'
  | 'rows'
  | 'rowOf'
  | 'view'
  | 'messages'
  | 'children'
  | 'json'
  | 'stepAt'
  | 'times'
  | 'nextError'
  | 'stepKeys'
  | 'save';
/** Requests that take long on a long capture; a newer one of the same name supersedes the older one. */
type LongName = Exclude<RequestName, QuickName | 'load'>;

type Params<N extends RequestName> = Requests[N]['params'];
type Result<N extends RequestName> = Requests[N]['result'];

/** A session and the requests that it answers. */
export interface InspectorModel {
  /** The description of the session, as far as it has been read. */
  readonly info: SessionInfo;
  readonly quick: { readonly [N in QuickName]: (params: Params<N>) => Result<N> };
  readonly long: { readonly [N in LongName]: (params: Params<N>) => Task<Result<N>> };
}

const MESSAGES = 60;

/** Creates a model of what a loader has read. @throws {SessionError} when that is not a capture. */
export function* inspectorModel(loader: TraceLoader): Task<InspectorModel> {
  return modelOf(loader, yield* loader.settle());
}

/**
 * Creates a model of what a loader has read so far; `undefined` before the header. It also has what the loader reads later. Its other requests
 * than those of {@link PARTIAL} need the whole session.
 */
export function partialModel(loader: TraceLoader): InspectorModel | undefined {
  const trace = loader.trace();
  return trace && modelOf(loader, trace);
}

/** The requests that a model of a part of a session answers. */
export const PARTIAL: ReadonlySet<RequestName> = new Set<RequestName>([
  'timeline',
  'filter',
  'rows',
  'rowOf',
  'view',
  'messages',
  'children',
  'json',
  'searchState',
  'stepAt',
  'times',
]);

function modelOf(loader: TraceLoader, recorded: Trace): InspectorModel {
  const branches: Partial<Record<Branch, Shown>> = { recorded: shownTrace(recorded) };
  let list: { readonly trace: Trace; readonly steps: StepList } | undefined;

  const shown = (branch: Branch = 'recorded'): Shown => {
    const found = branches[branch];
    if (found === undefined) throw new SessionError('Nothing has been edited yet.');
    return found;
  };
  const sessionOf = ({ branch }: { branch?: Branch }) => shown(branch).session;
  const traceOf = (params: { branch?: Branch }) => sessionOf(params).trace;
  return {
    get info() {
      return sessionInfo(sessionOf({}));
    },
    quick: {
      append({ text }) {
        loader.take(new TextEncoder().encode(text));
        branches.recorded = shownTrace(runTask(loader.settle()));
        return sessionInfo(branches.recorded.session);
      },
      rows: ({ from, to }) => (list === undefined ? [] : rowsOf(list.trace, list.steps, { from, to })),
      rowOf: ({ step }) => list?.steps.indexOf(step) ?? -1,
      ...stateRequests(shown),
      ...traceRequests(traceOf),
    },
    long: {
      *filter(params) {
        const trace = traceOf(params);
        const steps = yield* filterSteps(trace, params.filter);
        list = { trace, steps };
        return { count: steps.count };
      },
      find: (params) => findStep(sessionOf(params), params),
      findBreak: (params) => findBreak(sessionOf(params), params),
      searchState({ branch, step, text }) {
        const { session } = shown(branch);
        return searchTree(session.placeAt(clampStep(session.trace, step)), text);
      },
      deltas: (params) => stepDeltas(sessionOf({}), params),
      *edit(params) {
        const { trace, editable, ...found } = yield* editTrace(traceOf({}), params.edits);
        branches.edited = shownTrace(trace, editable);
        return { info: sessionInfo(branches.edited.session), ...found } satisfies EditedInfo;
      },
    },
  };
}

/** Creates the requests about a whole trace. */
const traceRequests = (
  traceOf: (params: { branch?: Branch }) => Trace,
): Pick<InspectorModel['quick'], 'timeline' | 'stepAt' | 'nextError' | 'stepKeys' | 'times' | 'save'> => ({
  timeline: (params) => buildTimeline(traceOf(params), params),
  stepAt: (params) => Math.max(0, countUpTo(traceOf(params).steps.times, params.t) - 1),
  nextError: (params) => nextError(traceOf(params), params),
  stepKeys: ({ by }) => stepKeys(traceOf({}), by),
  times: (params) => timesOf(traceOf(params), params),
  save: (params) => saveTrace(traceOf(params)),
});

/** Creates the requests about the state of one step. */
const stateRequests = (
  shown: (branch?: Branch) => Shown,
): Pick<InspectorModel['quick'], 'view' | 'messages' | 'children' | 'json'> => ({
  view(params) {
    const { session, editable } = shown(params.branch);
    const { trace } = session;
    const step = clampStep(trace, params.step);
    const base = clampStep(trace, params.base ?? step - 1);
    const { branch = 'recorded', messages = MESSAGES, window } = params;
    const viewed = { branch, step, base, messages, window };
    const editedRecord = step === 0 ? 0 : editable(trace.steps.records.at(step) + 1);
    return { ...stepView(session, viewed), editable: editedRecord };
  },
  messages({ branch, step, from, to }) {
    const { session } = shown(branch);
    return session.messages(clampStep(session.trace, step), from, to);
  },
  children({ branch, step, path, from, to }) {
    const { session } = shown(branch);
    return treeNodes(session.placeAt(clampStep(session.trace, step)), path, { from, to });
  },
  json({ branch, step, path }) {
    const { session } = shown(branch);
    return jsonAt(session.placeAt(clampStep(session.trace, step)), path);
  },
});

/** A session, with the record that an edit of one of its records has. */
interface Shown {
  readonly session: Session;
  readonly editable: (record: number) => number;
}

/** Creates the session of a trace. */
const shownTrace = (trace: Trace, editable = (record: number) => record): Shown => ({
  session: trace.app === undefined ? parleySession(trace) : appSession(trace),
  editable,
});

const clampStep = (trace: Trace, step: number): number =>
  Math.min(Math.max(0, Math.floor(step)), lastStep(trace));

function rowsOf(trace: Trace, steps: StepList, { from, to }: { from: number; to: number }): StepRow[] {
  const [read, readOther] = [traceReader(trace), traceReader(trace)];
  const rows: StepRow[] = [];
  for (let i = Math.max(0, from); i < Math.min(to, steps.count); i++) {
    const step = steps.at(i);
    rows.push(stepRow(trace, step, { record: read(trace.steps.records.at(step)), read: readOther }));
  }
  return rows;
}

function nextError({ errors }: Trace, { from, direction }: Params<'nextError'>): number | undefined {
  const index = direction === 'forward' ? countUpTo(errors, from) : countBelow(errors, from) - 1;
  return index >= 0 && index < errors.length ? errors.at(index) : undefined;
}

function timesOf({ steps }: Trace, { step, count }: { step: number; count: number }): Float64Array {
  const first = Math.max(0, step);
  return Float64Array.from(steps.times.all().subarray(first, first + Math.max(0, count)));
}
