import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { describeRejection, describeUpdate } from '../../../base/describeUpdate.ts';
import { frameText } from '#shared/replay/records.ts';
import type { AppAdapter } from '../../../engine/appAdapter.ts';
import { decodeAppFrame } from '../../../engine/appSession.ts';
import type { AppTrace } from './appTrace.ts';
import { firstLine, guardAdapter } from './guardAdapter.ts';
import { type Trace, stepKindAt } from './trace.ts';

const WIDEST = 120;

interface Described {
  readonly record: CaptureRecord;
  /** What the step showed or added, in place of a description of its record. */
  readonly effect?: string | undefined;
}

/** Describes a step in at most 120 characters. */
export function summarizeStep(trace: Trace, step: number, { record, effect }: Described): string {
  const own = trace.app === undefined ? effect : describeAppStep(trace, trace.app, { step, record });
  const described = own === undefined ? describeRecord(record) : describeText(own);
  const text = described.replace(/\s+/g, ' ');
  const whole =
    stepKindAt(trace, step) === 'other' && isKnown(record) ? `after the session’s end: ${text}` : text;
  return whole.length <= WIDEST ? whole : `${whole.slice(0, WIDEST - 1).toWellFormed()}…`;
}

function describeRecord(record: CaptureRecord): string {
  if (!isKnown(record)) return record.type;
  switch (record.type) {
    case 'launch':
      return 'session launched';
    case 'release':
      return `update ${record.update} released late, at ${record.tick} instead of ${record.due} ms after the launch`;
    case 'open':
      return 'connection opened';
    case 'close':
      return `connection closed, ${record.code}${record.reason === '' ? '' : ` ${record.reason}`}`;
    case 'action':
      return record.window === undefined
        ? record.action.type
        : `${record.action.type}, window ${record.window}`;
    case 'recv':
      return describeReceived(frameText(record));
    case 'send':
      return describeSent(record);
    default:
      return record satisfies never;
  }
}

const describeText = (text: string): string => describeUpdate({ kind: 'text', frame: { text } }, WIDEST);

function describeReceived(text: string | null): string {
  const update = decodeUpdate(text);
  return update.kind === 'rejected' ? describeRejection(update) : describeUpdate(update, WIDEST);
}

/** Describes a frame of the client, which looks like a content item (spec §2.3). */
function describeSent(record: FrameRecord): string {
  const sent = decodeUpdate(frameText(record));
  return sent.kind === 'content' ? describeUpdate(sent, WIDEST) : record.data.slice(0, WIDEST);
}

/** Describes a step of another app by its frame, by why the frame is rejected, or by an exception; `undefined` for other records. */
function describeAppStep(trace: Trace, app: AppTrace, { step, record }: AppStep): string | undefined {
  const failure = app.failures.get(step);
  if (failure !== undefined) return `the adapter threw ${firstLine(failure)}`;
  if (!isKnown(record) || (record.type !== 'recv' && record.type !== 'send')) return undefined;
  const isRejected = stepKindAt(trace, step) === 'rejected';
  return (isRejected ? appRejection(app.adapter, record) : undefined) ?? record.data;
}

interface AppStep {
  readonly step: number;
  readonly record: CaptureRecord;
}

/** Says why another app rejects a received frame; `undefined` when it does not. */
export function appRejection(adapter: AppAdapter, record: FrameRecord): string | undefined {
  const decoded = decodeAppFrame(guardAdapter(adapter), record);
  if (!('rejected' in decoded)) return undefined;
  return decoded.where === undefined ? decoded.rejected : `${decoded.rejected} at ${decoded.where}`;
}
