import type { Timeline } from '../protocol/protocol.ts';
import type { Trace } from './trace/trace.ts';
import { connectionAt, traceReader } from './trace/traceState.ts';
import { type GrowableColumn, countBelow, countUpTo } from './trace/growableColumn.ts';
import { summarizeStep } from './trace/summarizeStep.ts';

/** Marks of errors closer together would overlap. */
const COLUMNS_PER_MARK = 6;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Computes the timeline of a range of time, in columns; the last column includes the end of the range. */
export function buildTimeline(trace: Trace, { from, to, columns }: Range & { columns: number }): Timeline {
  const edges = edgesOf(trace, { from, to, columns });
  const counted = (steps: GrowableColumn) => perColumn(edges, (edge) => countBelow(steps, edge));
  const { updates } = trace.steps;
  const ignored = (edge: number) => countBelow(trace.ignored, edge);
  const rejections = [...trace.rejected.values()];
  return {
    from,
    to,
    received: counted(trace.received),
    sent: counted(trace.sent),
    applied: perColumn(edges, (edge) => updates.at(edge - 1) - ignored(edge)),
    rejected: perColumn(edges, (edge) => rejections.reduce((sum, steps) => sum + countBelow(steps, edge), 0)),
    queue: longestQueues(trace, edges),
    connection: bands(trace, { from, to }),
    errors: errorMarks(trace, edges),
  };
}

/** Returns the first step of each column and, at the end, the step after the last one. */
function edgesOf({ steps }: Trace, { from, to, columns }: Range & { columns: number }): Uint32Array {
  const edges = new Uint32Array(columns + 1);
  for (let i = 0; i < columns; i++) edges[i] = countBelow(steps.times, from + ((to - from) * i) / columns);
  edges[columns] = countUpTo(steps.times, to);
  // Step 0 is the initial state, not an event.
  return edges.map((edge) => Math.max(1, edge));
}

/** Computes the growth of a running total in each column. */
function perColumn(edges: Uint32Array, total: (edge: number) => number): Uint32Array {
  const grown = new Uint32Array(edges.length - 1);
  let before = total(edges[0] ?? 0);
  for (let i = 0; i < grown.length; i++) {
    const after = total(edges[i + 1] ?? 0);
    grown[i] = after - before;
    before = after;
  }
  return grown;
}

/** Computes the longest queue in each column, including the one at its start. */
function longestQueues({ steps }: Trace, edges: Uint32Array): Uint32Array {
  const queue = steps.queue.all();
  const longest = new Uint32Array(edges.length - 1);
  for (let i = 0; i < longest.length; i++) {
    const end = edges[i + 1] ?? 0;
    let most = 0;
    for (let step = (edges[i] ?? 1) - 1; step < end; step++) most = Math.max(most, queue[step] ?? 0);
    longest[i] = most;
  }
  return longest;
}

function bands(trace: Trace, { from, to }: Range): Timeline['connection'] {
  const { steps, connections } = trace;
  const first = connectionAt(trace, Math.max(0, countUpTo(steps.times, from) - 1));
  const result: { from: number; to: number; connected: boolean }[] = [];
  for (let i = first === undefined ? 0 : connections.indexOf(first); i < connections.length; i++) {
    const mark = connections[i];
    if (mark === undefined || mark.t > to) break;
    const connected = mark.state.status === 'connected';
    const start = Math.max(from, mark.t);
    const last = result.at(-1);
    if (last !== undefined) last.to = start;
    if (last?.connected !== connected) result.push({ from: start, to, connected });
  }
  const end = result.at(-1);
  if (end !== undefined) end.to = to;
  return result;
}

/** Returns a mark for each part of the range with errors, with their number and the first of them. */
function errorMarks(trace: Trace, edges: Uint32Array): Timeline['errors'] {
  const { steps, errors } = trace;
  const read = traceReader(trace);
  const marks: { t: number; step: number; count: number; text: string }[] = [];
  for (let column = 0; column < edges.length - 1; column += COLUMNS_PER_MARK) {
    const last = Math.min(column + COLUMNS_PER_MARK, edges.length - 1);
    const first = countBelow(errors, edges[column] ?? 0);
    const count = countBelow(errors, edges[last] ?? 0) - first;
    if (count === 0) continue;
    const step = errors.at(first);
    const text = summarizeStep(trace, step, { record: read(steps.records.at(step)) });
    marks.push({ t: steps.times.at(step), step, count, text });
  }
  return marks;
}
