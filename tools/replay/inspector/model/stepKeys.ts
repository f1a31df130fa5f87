import type { AlignBy, StepKeys } from '../protocol/protocol.ts';
import { lineBytes } from './trace/lineTable.ts';
import { stateReader } from './trace/stateReader.ts';
import type { Task } from './trace/task.ts';
import { CHANGED, KIND, type Trace, isRelease, lastStep } from './trace/trace.ts';

/** Returns keys by which the steps of two sessions are aligned. */
export function stepKeys(trace: Trace, by: AlignBy): StepKeys {
  const { steps, kinds: names, app } = trace;
  const count = lastStep(trace) + 1;
  const exact = new Uint32Array(count);
  const kinds = new Uint32Array(count);
  // Other kinds have another number in another session.
  const updateKinds = names.map((name, i) => (i < app.kinds.length ? i + 1 : textHash(name)));
  let last = { record: -1, hash: 0 };
  for (let step = 1; step < count; step++) {
    const record = steps.records.at(step);
    if (last.record !== record) last = { record, hash: by === 'record' ? record : lineHash(trace, record) };
    exact[step] = ((last.hash << 1) | Number(isRelease(trace, step))) >>> 0;
    const updateKind = updateKinds[steps.updateKinds.at(step) - 1] ?? 0;
    kinds[step] = ((steps.kinds.at(step) & (KIND | CHANGED)) << 8) ^ updateKind;
  }
  return { exact, kinds };
}

const [BRACE, COMMA] = [0x7b, 0x2c];

/** Hashes the line of a record without its time, which is its first field. */
function lineHash(trace: Trace, record: number): number {
  const bytes = lineBytes(trace, record);
  const isTimeFirst = bytes[0] === BRACE && bytes[2] === 't'.charCodeAt(0);
  let hash = FNV_START;
  for (let i = isTimeFirst ? bytes.indexOf(COMMA) : 0; i < bytes.length; i++) hash = fnv(hash, bytes[i] ?? 0);
  return hash >>> 0;
}

const FNV_START = 0x811c9dc5;

const fnv = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);

/** Hashes a text (FNV-1a, 32 bits). */
function textHash(text: string): number {
  let hash = FNV_START;
  for (let i = 0; i < text.length; i++) hash = fnv(hash, text.charCodeAt(i));
  return hash >>> 0;
}

interface Params {
  readonly from: number;
  readonly to: number;
  readonly by: AlignBy;
}

/** The number of steps between two pauses, and of changes of a step that count. */
const PIECE = 100;
const MOST_CHANGES = 500;

/**
 * Returns a hash of what each step from `from` up to `to` (exclusive) changed; 0 when it changed nothing. Sessions with the same
 * changes have the same states. For the same session under two revisions, the time of an update's tick counts too.
 */
export function* stepDeltas(trace: Trace, { from, to, by }: Params): Task<Uint32Array> {
  const first = Math.max(1, from);
  const end = Math.min(to, lastStep(trace) + 1);
  const deltas = new Uint32Array(Math.max(0, end - first));
  const stateAt = stateReader(trace);
  for (let step = first; step < end; step++) {
    const changes = trace.app.changes(stateAt(step - 1), stateAt(step), MOST_CHANGES).slice(0, MOST_CHANGES);
    const tick = by === 'record' && isRelease(trace, step) ? trace.steps.times.at(step) : undefined;
    if (changes.length > 0 || tick !== undefined)
      deltas[step - first] = textHash(textOf([tick, changes])) | 1;
    if (step % PIECE === 0) yield;
  }
  return deltas;
}

/** Encodes a value; unlike plain JSON, it distinguishes a missing value from `null`. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one === undefined ? { missing: true } : one));
