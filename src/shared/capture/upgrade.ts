import type { JsonObject } from '../isJsonObject.ts';
import { CAPTURE_VERSION } from './format.ts';

/**
 * Turns a record of one version into one of the next. There is one version so far, so there is no step; each new version
 * adds one under its predecessor's number, and an old capture goes through all of them.
 */
export type Upgrade = (record: JsonObject) => JsonObject;

const STEPS: Readonly<Record<number, Upgrade>> = {};

/** What brings a record of `version` to the current version: every step between, in order. */
export function upgradeFrom(version: number, steps = STEPS, current = CAPTURE_VERSION): Upgrade {
  const between = Array.from({ length: current - version }, (_, i) => steps[version + i]);
  if (between.length === 0) return (record) => record;
  return (record) => between.reduce((fields, step) => step?.(fields) ?? fields, record);
}
