import { buildTimeline } from './buildTimeline.ts';
import { type Edit, editTrace } from './editTrace.ts';
import { type StepFilter, type StepList, entryOf, filterSteps } from './search/filterSteps.ts';
import { unlikeStep, valueHistory } from './search/valueHistory.ts';
import { type Search, findBreak, findStep } from './search/findStep.ts';
import { type AlignBy, stepDeltas, stepKeys } from './stepKeys.ts';
import { type Mark, SessionError } from './trace/app.ts';
import { type StateReader, stateReader, valuesAfter } from './trace/stateReader.ts';
import { findPlace, jsonAt, searchTree, treeNodes } from './trace/stateTree.ts';
import { rowReader, wireOf } from './trace/steps.ts';
import { runTask } from './trace/task.ts';
import { type Trace, lastStep, saveLines, stepAtTime, stepOf } from './trace/trace.ts';
import type { TraceLoader } from './trace/TraceLoader.ts';

/** Selects a trace: the recorded one, or the one with the edits of a what-if. */
export type Branch = 'recorded' | 'edited';

/** Selects the recorded trace by default. */
type InBranch = { readonly branch?: Branch };
/** A step; the nearest one when it does not exist. */
type AtStep = InBranch & { readonly step: number };
/** A path of the state after a step. */
type AtPath = AtStep & { readonly path: string };
/** From `from` up to `to`, exclusive; of times, inclusive. */
type Range = { readonly from: number; readonly to: number };

/** What the panes show. */
interface Viewed extends AtStep {
  /** The step with which it is compared; by default the one before. */
  readonly base?: number;
  /** The number of newest messages; 60 by default. */
  readonly messages?: number;
  /** The number of messages of one line that fill the pane: longer messages fill it with fewer. */
  readonly room?: number;
  /** The number of the chosen window. */
  readonly window?: number;
  /** Whether the window of the step's action is shown rather than the chosen one; always without a chosen one. */
  readonly isActPreferred?: boolean;
}

/**
 * A session and the requests that it answers: `quick` ones immediately; `long` ones take long on a long capture, and a newer one of the same name
 * supersedes the older one.
 */
export type InspectorModel = ReturnType<typeof inspectorModel>;

/** The number of messages that a view contains by default, and its maximum number of changes. */
const MESSAGES = 60;
const MOST_CHANGES = 500;

/** The requests that need the whole session; a model of a part of it answers the others. */
export const WHOLE: ReadonlySet<string> = new Set([
  'append',
  'find',
  'findBreak',
  'history',
  'unlike',
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

/** Creates a model of the trace that a loader has read so far. It also has what the loader reads later. */
export function inspectorModel(loader: TraceLoader, recorded: Trace) {
  const branches: Partial<Record<Branch, Shown>> = { recorded: shownTrace(recorded) };
  let list: { readonly shown: Shown; readonly steps: StepList } | undefined;

  const shownIn = ({ branch = 'recorded' }: InBranch): Shown => {
    const found = branches[branch];
    if (found === undefined) throw new SessionError('Nothing has been edited yet.');
    return found;
  };
  const traceOf = (params: InBranch) => shownIn(params).trace;
  return {
    /** The description of the session, as far as it has been read. */
    get info() {
      return describe(shownIn({}));
    },
    quick: {
      /** Appends lines of a live session, each with its newline. */
      append({ text }: { readonly text: string }) {
        loader.take(new TextEncoder().encode(text));
        branches.recorded = shownTrace(runTask(loader.settle()));
        return describe(branches.recorded);
      },
      rows: (params: Range) => (list === undefined ? [] : rowsOf(list.shown, list.steps, params)),
      /** Returns the index in the filtered list of the last entry at or before a step; -1 when there is none. */
      rowOf: ({ step }: { readonly step: number }) => (list === undefined ? -1 : entryOf(list.steps, step)),
      view: (params: Viewed) => viewOf(shownIn(params), params),
      children: (params: AtPath & Range) =>
        treeNodes(stateAfter(shownIn(params), params.step), params.path, params),
      json: (params: AtPath) => jsonAt(stateAfter(shownIn(params), params.step), params.path),
      timeline: (params: InBranch & Range & { readonly columns: number }) =>
        buildTimeline(traceOf(params), params),
      stepAt: (params: InBranch & { readonly t: number }) => stepAtTime(traceOf(params), params.t),
      /** Returns the step of the nearest error. */
      nextError: (params: InBranch & Search) => nextError(traceOf(params), params),
      stepKeys: ({ by }: { readonly by: AlignBy }) => stepKeys(traceOf({}), by),
      /** Returns the times of `count` steps, starting with `step`, for playing. */
      times: (params: AtStep & { readonly count: number }) => timesOf(traceOf(params), params),
      save: (params: InBranch) => saveLines(traceOf(params)),
    },
    long: {
      /** Sets the list that `rows` and `rowOf` use. Returns the number of its rows and of the steps that they stand for. */
      *filter(params: InBranch & { readonly filter: StepFilter }) {
        const shown = shownIn(params);
        const steps = yield* filterSteps(shown.trace, params.filter);
        list = { shown, steps };
        return { count: steps.firsts.length, steps: steps.steps };
      },
      find: (params: InBranch & Parameters<typeof findStep>[1]) => findStep(traceOf(params), params),
      findBreak: (params: InBranch & Parameters<typeof findBreak>[1]) => findBreak(traceOf(params), params),
      history: (params: InBranch & Parameters<typeof valueHistory>[1]) =>
        valueHistory(traceOf(params), params),
      unlike: (params: InBranch & Parameters<typeof unlikeStep>[1]) => unlikeStep(traceOf(params), params),
      place: (params: AtStep & Parameters<typeof findPlace>[1]) =>
        findPlace(stateAfter(shownIn(params), params.step), params),
      searchState: (params: AtStep & { readonly text: string }) =>
        searchTree(stateAfter(shownIn(params), params.step), params.text),
      deltas: (params: Range & { readonly by: AlignBy }) => stepDeltas(traceOf({}), params),
      *edit(params: { readonly edits: readonly Edit[] }) {
        const { trace, editable, ...found } = yield* editTrace(traceOf({}), params.edits);
        branches.edited = shownTrace(trace, editable);
        return { info: describe(branches.edited), ...found };
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
function describe({ trace, stateAt }: Shown) {
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
function viewOf({ trace, stateAt, editable }: Shown, params: Viewed) {
  const { app, header, marks, launchStep = 0 } = trace;
  const { branch = 'recorded', messages = MESSAGES, room = Infinity } = params;
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
      room,
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
  { window, isActPreferred = window === undefined }: Viewed,
): number | undefined {
  return isActPreferred && acted !== undefined && mark?.windows.includes(acted) ? acted : window;
}

function rowsOf({ trace, stateAt }: Shown, { lasts, edits }: StepList, { from, to }: Range) {
  const rowAt = rowReader(trace, stateAt);
  const first = Math.max(0, from);
  return lasts.slice(first, Math.max(first, to)).map((step, i) => rowAt(step, edits.get(first + i)));
}

function nextError({ steps }: Trace, { from, direction }: Search): number | undefined {
  const by = direction === 'forward' ? 1 : -1;
  let step = Math.min(steps.length, Math.max(-1, from)) + by;
  while (steps.at(step)?.isError === false) step += by;
  return steps.at(step) && step;
}

function timesOf(trace: Trace, { step, count }: { step: number; count: number }): Float64Array {
  const first = Math.max(0, step);
  const length = Math.max(0, Math.min(count, trace.steps.length - first));
  return Float64Array.from({ length }, (_, i) => stepOf(trace, first + i).t);
}
