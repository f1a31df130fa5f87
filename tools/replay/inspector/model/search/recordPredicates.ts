import { isKnown } from '#shared/capture/format.ts';
import type { Update } from '#shared/protocol/update.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { frameText } from '#shared/replay/records.ts';
import { type Trace, stepKindAt, updateKindAt } from '../trace/trace.ts';
import { traceReader } from '../trace/traceState.ts';
import type { StepKind } from '../../protocol/protocol.ts';
import type { RecordReader } from '../trace/lineTable.ts';
import { isFrameRecord, isRelease } from '../trace/stepRow.ts';
import type { RecordedAct } from './compiledExpression.ts';
import { containsText, matchesPattern, wireText } from './textMatch.ts';

/** Returns whether a step matches; fastest when it is called in step order. */
export type StepPredicate = (step: number) => boolean;

const PATTERN = /^\/(.+)\/([a-z]*)$/s;

/**
 * Returns a predicate of the frames, in or out, and of the records of actions that contain the text, ignoring case; `/…/` is a regular
 * expression.
 * @throws {SessionError} when the regular expression is not valid.
 */
export function framePredicate(trace: Trace, text: string): StepPredicate {
  const matches = textPredicate(text);
  const read = traceReader(trace);
  return (step) => {
    const kind = stepKindAt(trace, step);
    if (!SEARCHED.has(kind)) return false;
    const index = trace.steps.records.at(step);
    return matches(wireText(trace.lines, read(index), index));
  };
}

const SEARCHED: ReadonlySet<StepKind> = new Set<StepKind>(['received', 'rejected', 'sent', 'action']);

/** Returns the action of a step; `undefined` when the step is not one. */
export function stepAct(trace: Trace, step: number, read: RecordReader): RecordedAct | undefined {
  if (step === 0 || stepKindAt(trace, step) !== 'action') return undefined;
  const record = read(trace.steps.records.at(step));
  if (!isKnown(record) || record.type !== 'action') return undefined;
  const { action, window } = record;
  return { ...action, ...(window !== undefined && { window }) };
}

function textPredicate(text: string): (data: string) => boolean {
  const [, source, flags = ''] = PATTERN.exec(text) ?? [];
  return source === undefined ? containsText(text) : matchesPattern(source, flags.replace(/[gy]/g, ''));
}

/** Returns a predicate of the updates that contain a message with this id. */
export function messagePredicate(trace: Trace, id: string): StepPredicate {
  const read = traceReader(trace);
  return (step) => {
    const kind = updateKindAt(trace, step);
    if ((kind !== 'message' && kind !== 'snapshot') || !isRelease(trace, step)) return false;
    const record = read(trace.steps.records.at(step));
    return isFrameRecord(record) && containsMessage(decodeUpdate(frameText(record)), id);
  };
}

function containsMessage(update: Update | { readonly kind: 'rejected' }, id: string): boolean {
  if (update.kind === 'message') return update.frame.id === id;
  return update.kind === 'snapshot' && (update.frame.messages ?? []).some((message) => message.id === id);
}
