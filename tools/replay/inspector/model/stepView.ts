import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Branch, StepView, Wire } from '../protocol/protocol.ts';
import { wireText } from './search/textMatch.ts';
import { MOST_CHANGES, type PictureOptions, type Session } from './trace/session.ts';
import { isFrameRecord, stepRow, wireBytes } from './trace/stepRow.ts';
import { traceReader } from './trace/traceState.ts';

interface Viewed extends PictureOptions {
  readonly branch: Branch;
}

/** Returns everything that the panes show of one step. A long difference is not counted completely. */
export function stepView(session: Session, { branch, ...viewed }: Viewed): Omit<StepView, 'editable'> {
  const { trace } = session;
  const { step, base } = viewed;
  const read = traceReader(trace);
  const record = step === 0 ? undefined : read(trace.steps.records.at(step));
  const changes = session.changes(viewed);
  return {
    branch,
    step,
    base,
    row: record && stepRow(trace, step, { record, read }),
    wire: record && wireOf(session, step, record),
    diff: changes.slice(0, MOST_CHANGES),
    diffTotal: changes.length < MOST_CHANGES ? changes.length : -1,
    ...session.picture(viewed),
    failure: trace.app?.failures.get(step),
    waiting: trace.steps.queue.at(step),
  };
}

function wireOf(session: Session, step: number, record: CaptureRecord): Wire {
  const { lines, steps } = session.trace;
  const index = steps.records.at(step);
  const text = wireText(lines, record, index);
  if (!isFrameRecord(record))
    return { direction: 'none', text, bytes: lines.bytes.at(index), encoding: 'text' };
  const rejection = record.type === 'recv' ? session.rejection(record) : undefined;
  return {
    direction: record.type === 'recv' ? 'received' : 'sent',
    text,
    bytes: wireBytes(record),
    encoding: record.encoding ?? 'text',
    ...(rejection !== undefined && { rejection }),
  };
}
