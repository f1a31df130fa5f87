import { join } from 'node:path';

/** The place of a capture in a corpus. */
export interface CapturePlace {
  readonly folder: string;
  /** The number of the capture, from 0. */
  readonly index: number;
  /** The number of different sessions in the corpus. */
  readonly sessions: number;
}

const CAPTURES_PER_FOLDER = 1000;

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

/** Returns the path of a capture: `<copy>/<part>/<session>.parley.jsonl`. Copy 0 contains each session once. */
export function capturePath({ folder, index, sessions }: CapturePlace): string {
  const session = index % sessions;
  const copy = padded(Math.floor(index / sessions), 3);
  const part = padded(Math.floor(session / CAPTURES_PER_FOLDER), 3);
  return join(folder, copy, part, `${padded(session, 6)}.parley.jsonl`);
}
