import { type CaptureHeader, type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { FRAME_DEPTH } from '#shared/limits.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { isTooDeep } from '#shared/protocol/isTooDeep.ts';
import type { Aliases } from './aliases.ts';
import { redactFields, redactValue } from './redactValue.ts';

const HEADER_FIELDS = new Set(['format', 'version', 'startedAt', 'app']);
const RECORD_FIELDS = new Set(['t', 'type']);
const FRAME_FIELDS = new Set(['t', 'type', 'encoding', 'data']);
const ACTION_FIELDS = new Set(['type']);

/** Nobody's time. */
export const NO_TIME = new Date(0).toISOString();

/** The header, without its time unless that is kept. */
export function redactHeader(header: CaptureHeader, aliases: Aliases, keepsTime: boolean): CaptureHeader {
  const { format, version, app } = header;
  const fields = redactFields({ ...header }, aliases, HEADER_FIELDS);
  return { ...fields, format, version, startedAt: keepsTime ? header.startedAt : NO_TIME, app };
}

/**
 * A record with aliases for what is personal. It is received, sent or done at the same time, is of the same kind, and is
 * rejected for the same reason. Its fields stand in the same order.
 */
export function redactRecord(record: CaptureRecord, aliases: Aliases): CaptureRecord {
  const { t, type } = record;
  if (isKnown(record) && (record.type === 'recv' || record.type === 'send')) {
    const frame = { t, type, data: redactFrame(record, aliases) };
    return { ...redactFields({ ...record }, aliases, FRAME_FIELDS), ...frame };
  }
  if (isKnown(record) && record.type === 'action') {
    const action = { t, type, action: redactFields(record.action, aliases, ACTION_FIELDS) };
    return { ...redactFields({ ...record, action: {} }, aliases, RECORD_FIELDS), ...action };
  }
  return { ...redactFields({ ...record }, aliases, RECORD_FIELDS), t, type };
}

/** Stands for every frame that is rejected for its depth: nothing walks such a frame. */
const TOO_DEEP = '['.repeat(FRAME_DEPTH + 1) + ']'.repeat(FRAME_DEPTH + 1);

function redactFrame({ data, encoding }: FrameRecord, aliases: Aliases): string {
  if (encoding === 'base64') return Buffer.from(aliases.of('binary', data)).toString('base64');
  if (isTooDeep(data, FRAME_DEPTH)) return TOO_DEEP;
  const frame = tryParseJson(data);
  // What is no JSON stays none: an alias is not JSON either, nor is the empty text.
  return frame === undefined ? aliases.of('frame', data) : JSON.stringify(redactValue(frame, aliases));
}
