import { stateReader } from './trace/stateReader.ts';
import type { Task } from './trace/task.ts';
import { type Trace, isRelease, lastStep, stepOf } from './trace/trace.ts';

/** How the steps of two sessions are aligned: by record, when both are the same capture, or by content. */
export type AlignBy = 'record' | 'content';

/**
 * Returns keys by which the steps of two sessions are aligned; index 0 is not used. `exact`: equal for the same record, or for records with the same
 * content; `kinds`: equal for steps of the same kind.
 */
export function stepKeys(trace: Trace, by: AlignBy) {
  const { steps, lines } = trace;
  const exact = new Uint32Array(steps.length);
  const kinds = new Uint32Array(steps.length);
  for (let index = 0; index < steps.length; index++) {
    const step = stepOf(trace, index);
    const { kind, record, updateKind, isChanged } = step;
    const hash = by === 'record' ? record : lineHash(lines[record] ?? '');
    exact[index] = (hash << 1) | Number(isRelease(step));
    kinds[index] = textHash(`${kind} ${updateKind} ${isChanged}`);
  }
  return { exact, kinds };
}

/** Hashes the line of a record without its time, which is its first field. */
const lineHash = (line: string): number =>
  textHash(line.startsWith('{"t"') ? line.slice(line.indexOf(',')) : line);

/** Hashes a text (FNV-1a, 32 bits). */
function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

type Params = { readonly from: number; readonly to: number; readonly by: AlignBy };

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
    const at = stepOf(trace, step);
    const tick = by === 'record' && isRelease(at) ? at.t : undefined;
    if (changes.length > 0 || tick !== undefined)
      deltas[step - first] = textHash(textOf([tick, changes])) | 1;
    if (step % PIECE === 0) yield;
  }
  return deltas;
}

/** Encodes a value; unlike plain JSON, it distinguishes a missing value from `null`. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one === undefined ? { missing: true } : one));
