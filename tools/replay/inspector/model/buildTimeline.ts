import type { StepKind } from './trace/stepKinds.ts';
import { summarize } from './trace/steps.ts';
import { type Trace, firstStepAt, recordReader, stepAtTime, stepOf } from './trace/trace.ts';

/** Marks of errors closer together would overlap. */
const COLUMNS_PER_MARK = 6;

type Range = { readonly from: number; readonly to: number };

/** The series that count the steps of a kind. */
const SERIES: Partial<Record<StepKind, readonly ('received' | 'sent' | 'applied' | 'rejected')[]>> = {
  received: ['received'],
  rejected: ['received', 'rejected'],
  sent: ['sent'],
  applied: ['applied'],
  notification: ['applied'],
};

/** Computes the timeline of a range of time, in columns; the last column includes the end of the range. */
export function buildTimeline(trace: Trace, { from, to, columns }: Range & { columns: number }) {
  const series = () => new Uint32Array(columns);
  const counts = {
    received: series(),
    sent: series(),
    applied: series(),
    rejected: series(),
    queue: series(),
  };
  const errors: { t: number; step: number; count: number; text: string }[] = [];
  const read = recordReader(trace);
  let marked = -1;
  let step = firstStepAt(trace, from);
  for (let column = 0; column < columns; column++) {
    const isLast = column === columns - 1;
    const end = isLast
      ? stepAtTime(trace, to) + 1
      : firstStepAt(trace, from + ((to - from) * (column + 1)) / columns);
    // The longest queue includes the one at its start.
    let longest = stepOf(trace, step - 1).waiting;
    for (; step < end; step++) {
      const { kind, t, waiting, isError, record } = stepOf(trace, step);
      longest = Math.max(longest, waiting);
      for (const name of SERIES[kind] ?? []) counts[name][column] = (counts[name][column] ?? 0) + 1;
      const mark = Math.floor(column / COLUMNS_PER_MARK);
      const last = errors.at(-1);
      if (isError && last !== undefined && mark === marked) last.count++;
      else if (isError)
        errors.push({ t, step, count: 1, text: summarize(trace, step, { record: read(record) }) });
      if (isError) marked = mark;
    }
    counts.queue[column] = longest;
  }
  return { from, to, ...counts, connection: bands(trace, { from, to }), errors };
}

function bands(trace: Trace, { from, to }: Range) {
  const first = stepAtTime(trace, from);
  let last = { from, to, connected: stepOf(trace, first).isConnected };
  const result = [last];
  const end = stepAtTime(trace, to);
  for (let step = first + 1; step <= end; step++) {
    const { t, isConnected } = stepOf(trace, step);
    if (isConnected === last.connected) continue;
    last.to = t;
    last = { from: t, to, connected: isConnected };
    result.push(last);
  }
  return result;
}
