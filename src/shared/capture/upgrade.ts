import type { JsonObject } from '../json.ts';
import { CAPTURE_VERSION } from './format.ts';

/** Converts a record of one version into one of the next. A new version adds a step to `STEPS` under its predecessor's number. */
export type Upgrade = (record: JsonObject) => JsonObject;

const STEPS: Readonly<Record<number, Upgrade>> = {
  /**
   * Version 1 starts at the launch: without a `launch` record, ticks count from the start of the recording. No record is inserted, because
   * each record is a line of its file: redaction, `minimize` and the inspector's line numbers depend on it.
   */
  1: (record) => record,
};

/** Returns the function that converts a record of `version` to the current version: all steps between them, in order. */
export function upgradeFrom(version: number, steps = STEPS, current = CAPTURE_VERSION): Upgrade {
  const between = Array.from({ length: current - version }, (_, i) => steps[version + i]);
  if (between.length === 0) return (record) => record;
  return (record) => between.reduce((fields, step) => step?.(fields) ?? fields, record);
}
