import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { describeRejection } from '../../../describe/describeRejection.ts';
import { describeUpdate } from '../../../describe/describeUpdate.ts';
import { frameText } from '../../../engine/actions.ts';
import type { StepKind } from '../../protocol/protocol.ts';

const WIDEST = 120;

/** Describes a step in at most 120 characters. @param effect what it showed or added, in place of a description of its record. */
export function summarizeStep(kind: StepKind, record: CaptureRecord, effect?: string): string {
  const described = effect === undefined ? describeRecord(record) : describeText(effect);
  const text = described.replace(/\s+/g, ' ');
  const whole = kind === 'other' && isKnown(record) ? `after the session’s end: ${text}` : text;
  return whole.length <= WIDEST ? whole : `${whole.slice(0, WIDEST - 1).toWellFormed()}…`;
}

function describeRecord(record: CaptureRecord): string {
  if (!isKnown(record)) return record.type;
  switch (record.type) {
    case 'launch':
      return 'session launched';
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
