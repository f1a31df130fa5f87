import type { Change } from '../diff/valueDiff.ts';
import { goldenValue } from './goldenValue.ts';

/** Changes in the form of goldens. */
interface RecordedChanges {
  /** The new value at each path. */
  readonly changes: Record<string, unknown>;
  /** Paths of removed fields. */
  readonly removed?: string[];
}

/** Returns changes in the form of goldens. */
export function recordedChanges(differences: readonly Change[]): RecordedChanges {
  const changes: Record<string, unknown> = {};
  const removed: string[] = [];
  for (const { path, after } of differences) {
    if (after === undefined) removed.push(path);
    else changes[path] = goldenValue(after);
  }
  return { changes, ...(removed.length > 0 && { removed }) };
}
