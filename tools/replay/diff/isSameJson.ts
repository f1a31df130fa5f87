import { canonicalJson } from '../engine/canonicalJson.ts';
import { ownField } from './statePath.ts';

/**
 * Returns whether two values are equal as JSON, whatever the order of their keys. Only values that JSON does not
 * distinguish (-0, or a number out of range) need a comparison of the texts.
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
