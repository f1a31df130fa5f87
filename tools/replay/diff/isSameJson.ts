import { canonicalJson } from '../engine/canonicalJson.ts';
import { ownField } from './statePath.ts';

/**
 * Whether two values are one in JSON, whatever the order of their keys. Only what JSON cannot tell apart (-0, or a
 * number out of its range) needs the text to be sure.
 */
export const isSameJson = (a: unknown, b: unknown): boolean =>
  looksSame(a, b) || canonicalJson(a) === canonicalJson(b);

function looksSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => looksSame(ownField(a, key), ownField(b, key)));
}
