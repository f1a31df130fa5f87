import type {
  Branch,
  EditedInfo,
  Params,
  RequestName,
  Requests,
  Result,
  SessionInfo,
  StepRow,
  StepView,
} from '../protocol/protocol.ts';
import { buildTimeline } from './buildTimeline.ts';
import { editTrace } from './editTrace.ts';
import { type StepList, entryOf, filterSteps } from './search/filterSteps.ts';
import { findBreak, findStep } from './search/findStep.ts';
import { stepDeltas, stepKeys } from './stepKeys.ts';
import { type Mark, SessionError } from './trace/app.ts';
import { type StateReader, stateReader, valuesAfter } from './trace/stateReader.ts';
import { jsonAt, searchTree, treeNodes } from './trace/stateTree.ts';
import { rowReader, wireOf } from './trace/steps.ts';
import { type Task, runTask } from './trace/task.ts';
import { type Trace, lastStep, saveLines, stepAtTime, stepOf } from './trace/trace.ts';
import type { TraceLoader } from './trace/TraceLoader.ts';

/** Requests that take long on a long capture; a newer one of the same name supersedes the older one. */
type LongName = 'filter' | 'find' | 'findBreak' | 'searchState' | 'deltas' | 'edit';
/** Requests that are answered immediately. */
type QuickName = Exclude<RequestName, LongName | 'load'>;

/** A session and the requests that it answers. */
export interface InspectorModel {
  /** The description of the session, as far as it has been read. */
  readonly info: SessionInfo;
  readonly quick: Pick<Requests, QuickName>;
  readonly long: { readonly [N in LongName]: (params: Params<N>) => Task<Result<N>> };
}

/** The number of messages that a view contains by default, and its maximum number of changes. */
const MESSAGES = 60;
const MOST_CHANGES = 500;

/** Creates a model of what a loader has read. @throws {SessionError} when that is not a capture. */
export function* inspectorModel(loader: TraceLoader): Task<InspectorModel> {
  return modelOf(loader, yield* loader.settle());
}

/** Creates a model of what a loader has read so far; `undefined` before the header. It also has what the loader reads later. */
export function partialModel(loader: TraceLoader): InspectorModel | undefined {
  const trace = loader.trace();
  return trace && modelOf(loader, trace);
}

/** The requests that need the whole session; a model of a part of it answers the others. */
export const WHOLE: ReadonlySet<RequestName> = new Set<RequestName>([
  'append',
  'find',
  'findBreak',
  'nextError',
  'stepKeys',
  'deltas',
  'edit',
  'save',
]);

/** A trace, with the record that an edit of one of its records has. */
interface Shown {
  readonly trace: Trace;
  readonly stateAt: StateReader;
  readonly editable: (record: number) => number;
}

const shownTrace = (trace: Trace, editable = (record: number) => record): Shown => ({
  trace,
  stateAt: stateReader(trace),
  editable,
});

function modelOf(loader: TraceLoader, recorded: Trace): InspectorModel {
  const branches: Partial<Record<Branch, Shown>> = { recorded: shownTrace(recorded) };
  let list: { readonly shown: Shown; readonly steps: StepList } | undefined;

  const shownIn = ({ branch = 'recorded' }: Params<'save'>): Shown => {
    const found = branches[branch];
    if (found === undefined) throw new SessionError('Nothing has been edited yet.');
    return found;
  };
  const traceOf = (params: Params<'save'>) => shownIn(params).trace;
  return {
    get info() {
      return describe(shownIn({}));
    },
    quick: {
      append({ text }) {
        loader.take(new TextEncoder().encode(text));
        branches.recorded = shownTrace(runTask(loader.settle()));
        return describe(branches.recorded);
      },
      rows: ({ from, to }) => (list === undefined ? [] : rowsOf(list.shown, list.steps, { from, to })),
      rowOf: ({ step }) => (list === undefined ? -1 : entryOf(list.steps, step)),
      view: (params) => viewOf(shownIn(params), params),
      messages(params) {
        const { trace, stateAt } = shownIn(params);
        const state = stateAt(clampStep(trace, params.step));
        return trace.app.messages?.(state, params.from, params.to) ?? { messages: [], arrivals: [] };
      },
      children: (params) => treeNodes(stateAfter(shownIn(params), params.step), params.path, params),
      json: (params) => jsonAt(stateAfter(shownIn(params), params.step), params.path),
      timeline: (params) => buildTimeline(traceOf(params), params),
      stepAt: (params) => stepAtTime(traceOf(params), params.t),
      nextError: (params) => nextError(traceOf(params), params),
      stepKeys: ({ by }) => stepKeys(traceOf({}), by),
      times: (params) => timesOf(traceOf(params), params),
      save: (params) => saveLines(traceOf(params)),
    },
    long: {
      *filter(params) {
        const shown = shownIn(params);
        const steps = yield* filterSteps(shown.trace, params.filter);
        list = { shown, steps };
        return { count: steps.firsts.length, steps: steps.steps };
      },
      find: (params) => findStep(traceOf(params), params),
      findBreak: (params) => findBreak(traceOf(params), params),
      searchState: (params) => searchTree(stateAfter(shownIn(params), params.step), params.text),
      deltas: (params) => stepDeltas(traceOf({}), params),
      *edit(params) {
        const { trace, editable, ...found } = yield* editTrace(traceOf({}), params.edits);
        branches.edited = shownTrace(trace, editable);
        return { info: describe(branches.edited), ...found } satisfies EditedInfo;
      },
    },
  };
}

/** Returns the values of the state after a step, by name. */
function stateAfter({ trace, stateAt }: Shown, wanted: number): object {
  const step = clampStep(trace, wanted);
  return valuesAfter(trace, { step, state: stateAt(step) });
}

const clampStep = (trace: Trace, step: number): number =>
  Math.min(Math.max(0, Math.floor(step)), lastStep(trace));

/** Describes the whole session. */
function describe({ trace, stateAt }: Shown): SessionInfo {
  const { name, header, warnings, app, marks } = trace;
  const last = lastStep(trace);
  const end = stateAt(last);
  const { received, sent, applied, ignored, rejected } = end.counts;
  const all = Object.values(rejected).reduce<number>((sum, count = 0) => sum + count, 0);
  return {
    name,
    header,
    steps: last,
    updates: applied + ignored,
    frames: { received, sent, rejected: all },
    ...app.describe(end),
    windows: [...new Set(marks.flatMap(({ windows }) => windows))].sort((a, b) => a - b),
    duration: stepOf(trace, last).t,
    warnings: [...warnings],
  };
}

/** Returns everything that the panes show of one step. A long difference is not counted completely. */
function viewOf({ trace, stateAt, editable }: Shown, params: Params<'view'>): StepView {
  const { app, header, marks, launchStep = 0 } = trace;
  const { branch = 'recorded', messages = MESSAGES } = params;
  const step = clampStep(trace, params.step);
  const base = clampStep(trace, params.base ?? step - 1);
  const [before, after] = [stateAt(base), stateAt(step)];
  const changes = app.changes(before, after, MOST_CHANGES);
  const { kind, t, failure, waiting, record } = stepOf(trace, step);
  const row = step === 0 ? undefined : rowReader(trace, stateAt)(step);
  const past = marks.filter((mark) => mark.step <= step);
  return {
    branch,
    step,
    base,
    row,
    wire: step === 0 ? undefined : wireOf(trace, step),
    diff: changes.slice(0, MOST_CHANGES),
    diffTotal: changes.length < MOST_CHANGES ? changes.length : -1,
    ...app.picture({
      before,
      after,
      t,
      startedAt: header.startedAt,
      isLaunched: step >= launchStep,
      isNotification: kind === 'notification',
      marks: past,
      messages,
      window: shownWindow(past.at(-1), row?.window, params),
    }),
    failure,
    waiting,
    editable: step === 0 ? 0 : editable(record + 1),
  };
}

/** Returns the window to show: that of the step's action when it is open and preferred, otherwise the chosen one. */
function shownWindow(
  mark: Mark | undefined,
  acted: number | undefined,
  { window, isActPreferred = window === undefined }: Params<'view'>,
): number | undefined {
  return isActPreferred && acted !== undefined && mark?.windows.includes(acted) ? acted : window;
}

function rowsOf(
  { trace, stateAt }: Shown,
  { lasts, edits }: StepList,
  { from, to }: Params<'rows'>,
): StepRow[] {
  const rowAt = rowReader(trace, stateAt);
  const first = Math.max(0, from);
  return lasts.slice(first, Math.max(first, to)).map((step, i) => {
    const group = edits.get(first + i);
    return { ...rowAt(step), ...(group && { edits: group }) };
  });
}

function nextError({ steps }: Trace, { from, direction }: Params<'nextError'>): number | undefined {
  const found =
    direction === 'forward'
      ? steps.findIndex(({ isError }, step) => isError && step > from)
      : steps.findLastIndex(({ isError }, step) => isError && step < from);
  return found === -1 ? undefined : found;
}

function timesOf({ steps }: Trace, { step, count }: Params<'times'>): Float64Array {
  const first = Math.max(0, step);
  return Float64Array.from(steps.slice(first, first + Math.max(0, count)), ({ t }) => t);
}
