import type { Timeline } from '../protocol/protocol.ts';
import { countBelow, countUpTo } from './trace/columns.ts';
import { recordReader } from './trace/lineTable.ts';
import { summarize } from './trace/steps.ts';
import { CONNECTED, FAILED, KIND, STEP_NUMBER, type Trace, stepAtTime } from './trace/trace.ts';

/** Marks of errors closer together would overlap. */
const COLUMNS_PER_MARK = 6;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Computes the timeline of a range of time, in columns; the last column includes the end of the range. */
export function buildTimeline(trace: Trace, { from, to, columns }: Range & { columns: number }): Timeline {
  const edges = edgesOf(trace, { from, to, columns });
  const { received, rejected, sent, applied, notification } = STEP_NUMBER;
  const { counts, kinds } = countSteps(trace, edges);
  const counted = (...wanted: readonly number[]) =>
    new Uint32Array(columns).map((_, column) =>
      wanted.reduce((sum, kind) => sum + (counts[column * kinds + kind] ?? 0), 0),
    );
  return {
    from,
    to,
    received: counted(received, rejected),
    sent: counted(sent),
    applied: counted(applied, notification),
    rejected: counted(rejected),
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

/** Counts the steps of each kind in each column, in one list. */
function countSteps({ steps }: Trace, edges: Uint32Array) {
  const all = steps.kinds.all();
  const kinds = KIND + 1;
  const counts = new Uint32Array((edges.length - 1) * kinds);
  for (let column = 0; column < edges.length - 1; column++) {
    const end = edges[column + 1] ?? 0;
    for (let step = edges[column] ?? 0; step < end; step++) {
      const at = column * kinds + ((all[step] ?? 0) & KIND);
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return { counts, kinds };
}

/** Computes the longest queue in each column, including the one at its start. */
function longestQueues({ steps }: Trace, edges: Uint32Array): Uint32Array {
  const queue = steps.queue.all();
  return edges.slice(1).map((end, column) => {
    let most = 0;
    for (let step = (edges[column] ?? 1) - 1; step < end; step++) most = Math.max(most, queue[step] ?? 0);
    return most;
  });
}

function bands(trace: Trace, { from, to }: Range): Timeline['connection'] {
  const kinds = trace.steps.kinds.all();
  const { times } = trace.steps;
  const isConnected = (step: number) => ((kinds[step] ?? 0) & CONNECTED) !== 0;
  const first = stepAtTime(trace, from);
  const end = countUpTo(times, to);
  let last = { from, to, connected: isConnected(first) };
  const result = [last];
  for (let step = first + 1; step < end; step++) {
    if (isConnected(step) === last.connected) continue;
    last.to = times.at(step);
    last = { from: last.to, to, connected: !last.connected };
    result.push(last);
  }
  return result;
}

/** Returns a mark for each part of the range with errors, with their number and the first of them. */
function errorMarks(trace: Trace, edges: Uint32Array): Timeline['errors'] {
  const { kinds, records, times } = trace.steps;
  const [flags, read] = [kinds.all(), recordReader(trace)];
  const marks: { t: number; step: number; count: number; text: string }[] = [];
  for (let column = 0; column < edges.length - 1; column += COLUMNS_PER_MARK) {
    const end = edges[Math.min(column + COLUMNS_PER_MARK, edges.length - 1)] ?? 0;
    let [first, count] = [0, 0];
    for (let step = edges[column] ?? 0; step < end; step++) {
      if (((flags[step] ?? 0) & FAILED) === 0) continue;
      if (count++ === 0) first = step;
    }
    if (count === 0) continue;
    const text = summarize(trace, first, { record: read(records.at(first)) });
    marks.push({ t: times.at(first), step: first, count, text });
  }
  return marks;
}
