import {
  type ActionRecord,
  type CaptureRecord,
  type FrameRecord,
  type HttpRecord,
  isKnown,
} from '#shared/capture/captureFormat.ts';
import { clip } from '#shared/formatText.ts';
import { base64Bytes } from '#shared/protocol/outgoing.ts';
import { escapeControls } from '../../../base/visibleText.ts';
import { frameBytes } from '../../../engine/frames.ts';
import { type InspectedApp, rejectionOf, updateOf } from './app.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import type { StateReader } from './stateReader.ts';
import type { StepKind } from './stepKinds.ts';
import type { Step } from './stepTable.ts';
import { cut } from './stateTree.ts';
import { type Trace, isRelease, recordReader, stepOf } from './trace.ts';

/** Consecutive edits of one field. */
export interface EditGroup {
  /** The step of the first edit. */
  readonly first: number;
  readonly count: number;
  /** Whether the list shows each edit. */
  readonly isOpen: boolean;
}

/** Returns a function that returns steps as a list shows them. `edits`: those for which the row stands, as the last of them, or of which it is one. */
export function rowReader(trace: Trace, stateAt: StateReader) {
  const read = recordReader(trace);
  return (step: number, edits?: EditGroup) => {
    const { kind, t, updates, updateKind, record: index, isChanged } = stepOf(trace, step);
    const record = read(index);
    return {
      step,
      kind,
      t,
      ...(isRelease({ kind }) && { delay: t - record.t, update: updates }),
      ...(updateKind && { updateKind }),
      record: index + 1,
      ...(isFrameRecord(record) && { bytes: wireBytes(record) }),
      changed: isChanged,
      ...(isKnown(record) &&
        record.type === 'action' && {
          actionType: record.action.type,
          ...(record.window !== undefined && { window: record.window }),
        }),
      summary: summarize(trace, step, { record, stateAt }),
      ...(edits && { edits }),
    };
  };
}

/** Returns the type of a record: of an action, that of the action. */
export const typeOf = (record: CaptureRecord): string =>
  isKnown(record) && record.type === 'action' ? record.action.type : record.type;

/** Returns what alike steps of a type have in common: an update that was ignored, or showed a notification, is like one that was applied. */
export const likeness = (kind: StepKind): StepKind => (isRelease({ kind }) ? 'applied' : kind);

/** Returns whether a record is a frame, in or out. */
export const isFrameRecord = (record: CaptureRecord): record is FrameRecord =>
  isKnown(record) && (record.type === 'recv' || record.type === 'send');

/** Returns the size of a frame on the wire, in bytes. */
export const wireBytes = (record: FrameRecord): number =>
  record.encoding === 'base64' ? base64Bytes(record.data) : frameBytes(record);

/** Returns the text of a frame as it was on the wire, or the line of another record. */
export const wireText = (trace: Trace, record: CaptureRecord, index: number): string =>
  isFrameRecord(record) ? record.data : (trace.lines[index] ?? '');

/** Returns the record of a step as it is in the capture. */
export function wireOf(trace: Trace, step: number) {
  const index = stepOf(trace, step).record;
  const record = recordReader(trace)(index);
  const text = wireText(trace, record, index);
  if (!isFrameRecord(record))
    return { direction: 'none', text, bytes: new TextEncoder().encode(text).length, encoding: 'text' };
  const rejection = record.type === 'recv' ? rejectionOf(trace.app, record) : undefined;
  return {
    direction: record.type === 'recv' ? 'received' : 'sent',
    text,
    bytes: wireBytes(record),
    encoding: record.encoding ?? 'text',
    ...(rejection !== undefined && { rejection }),
  };
}

const WIDEST = 120;

/** What the description of a step needs. */
export interface DescribedStep extends Pick<Step, 'kind' | 'failure' | 'updates'> {
  /** Its record; of an update at its tick, that of its frame. */
  readonly record: CaptureRecord;
  /** The states around it. Without them, the effect of an update is not described. */
  readonly states?: { readonly before: () => SessionState; readonly after: () => SessionState } | undefined;
}

/** Describes a step of a trace, as {@link describeStep} does. */
export function summarize(
  trace: Trace,
  step: number,
  { record, stateAt }: { readonly record: CaptureRecord; readonly stateAt?: StateReader | undefined },
): string {
  const states = stateAt && { before: () => stateAt(step - 1), after: () => stateAt(step) };
  const { kind, failure, updates } = stepOf(trace, step);
  return describeStep(trace.app, { kind, failure, updates, record, states });
}

/** Describes a step in at most 120 characters. */
export function describeStep(app: InspectedApp, step: DescribedStep): string {
  const { kind, failure, record } = step;
  const thrown = failure?.split('\n', 1).join('');
  const own = thrown === undefined ? effectOf(app, step) : `${app.codeName ?? 'the adapter'} threw ${thrown}`;
  const described =
    own === undefined ? describeRecord(app, record) : clip(escapeControls(clip(own, 4 * WIDEST)), WIDEST);
  const text = described.replace(/\s+/g, ' ');
  const isAfterEnd = kind === 'other' && isKnown(record) && record.type !== 'http' && record.type !== 'end';
  return cut(isAfterEnd ? `after the session’s end: ${text}` : text, WIDEST);
}

/** Returns what an applied update showed or added, when that does not follow from its record alone. */
function effectOf(app: InspectedApp, { kind, updates, record, states }: DescribedStep): string | undefined {
  if (isRelease({ kind }) && app.describeRelease !== undefined) return app.describeRelease(updates);
  if (states === undefined || record.type !== 'recv' || !isFrameRecord(record)) return undefined;
  if (kind !== 'applied' && kind !== 'notification') return undefined;
  return app.describeEffect?.(updateOf(app, record), states.before, states.after);
}

function describeRecord(app: InspectedApp, record: CaptureRecord): string {
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
      return describeAction(app, record);
    case 'recv':
      return rejectionOf(app, record) ?? app.describeFrame(record, WIDEST, updateOf(app, record));
    case 'send':
      return app.describeFrame(record, WIDEST);
    case 'http':
      return `request ${record.id}${describeHttp(record)}`;
    case 'end':
      return 'end of the recording';
    default:
      return record satisfies never;
  }
}

function describeHttp({ request, response, chunk, error }: HttpRecord): string {
  if (request !== undefined) return `: ${escapeControls(clip(`${request.method} ${request.url}`, WIDEST))}`;
  if (response !== undefined) return `: status ${response.status}`;
  if (chunk !== undefined) return `: ${escapeControls(clip(chunk, WIDEST))}`;
  return error === undefined ? ': end of the answer' : ` failed: ${escapeControls(error)}`;
}

/** Describes an action by its type, its contents and its window. */
function describeAction(
  { describeAction: describe }: InspectedApp,
  { action, window }: ActionRecord,
): string {
  const { type, payload } = action;
  const text = describe === undefined ? jsonOf(payload) : describe(action).text;
  const known = text === '' ? type : `${type} ${escapeControls(clip(text, 4 * WIDEST))}`;
  return window === undefined ? known : `${clip(known, WIDEST - 12)}, window ${window}`;
}

const jsonOf = (payload: unknown): string => (payload === undefined ? '' : JSON.stringify(payload));
