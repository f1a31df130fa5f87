import type { AlignBy, StepKeys } from '../protocol/pair.ts';
import { linePlace } from './trace/lineTable.ts';
import { type Trace, lastStep } from './trace/trace.ts';

/** Returns keys by which the steps of two sessions are aligned. */
export function stepKeys(trace: Trace, by: AlignBy): StepKeys {
  const { steps, recordSteps } = trace;
  const count = lastStep(trace) + 1;
  const exact = new Uint32Array(count);
  const kinds = new Uint32Array(count);
  let last = { record: -1, hash: 0 };
  for (let step = 1; step < count; step++) {
    const record = steps.records.at(step);
    const isRelease = recordSteps.at(record) !== step;
    if (last.record !== record) last = { record, hash: by === 'record' ? record : lineHash(trace, record) };
    exact[step] = ((last.hash << 1) | Number(isRelease)) >>> 0;
    kinds[step] = (steps.kinds.at(step) << 8) | steps.updateKinds.at(step);
  }
  return { exact, kinds };
}

const [BRACE, COMMA] = [0x7b, 0x2c];

/** Hashes the line of a record without its time, which is its first field. */
function lineHash({ lines }: Trace, record: number): number {
  const { chunk, start, length } = linePlace(lines, record);
  const bytes = lines.chunks[chunk]?.subarray(start, start + length) ?? new Uint8Array();
  const isTimeFirst = bytes[0] === BRACE && bytes[2] === 't'.charCodeAt(0);
  let hash = FNV_START;
  for (let i = isTimeFirst ? bytes.indexOf(COMMA) : 0; i < bytes.length; i++) hash = fnv(hash, bytes[i] ?? 0);
  return hash >>> 0;
}

const FNV_START = 0x811c9dc5;

const fnv = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);

/** Hashes a text (FNV-1a, 32 bits). */
export function textHash(text: string): number {
  let hash = FNV_START;
  for (let i = 0; i < text.length; i++) hash = fnv(hash, text.charCodeAt(i));
  return hash >>> 0;
}
