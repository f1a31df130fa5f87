/** Two values that are compared with each other. */
export interface Sides<T = unknown> {
  readonly left: T;
  readonly right: T;
}

type List = readonly unknown[];
type Fields = Readonly<Record<string, unknown>>;

/** No earlier values: nothing is skipped. */
export const NOTHING: Sides = { left: undefined, right: undefined };

const NO_ITEMS: List = [];
const NO_FIELDS: Fields = {};

/**
 * Returns whether two values of plain data are equal. `before` are two earlier values that are equal: parts that are still the same
 * references on both sides are skipped, so the cost depends on what changed.
 */
export function isSameChange({ left, right }: Sides, before: Sides): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (left === before.left && right === before.right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return areSameLists({ left, right }, { left: listOf(before.left), right: listOf(before.right) });
  if (Array.isArray(left) || Array.isArray(right)) return false;
  return areSameFields({ left, right }, { left: fieldsOf(before.left), right: fieldsOf(before.right) });
}

function areSameLists({ left, right }: Sides<List>, before: Sides<List>): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) {
    const [a, b, oldA, oldB] = [left[i], right[i], before.left[i], before.right[i]];
    const isUnchanged = a === b || (a === oldA && b === oldB);
    if (!isUnchanged && !isSameChange({ left: a, right: b }, { left: oldA, right: oldB })) return false;
  }
  return true;
}

function areSameFields({ left, right }: Sides<Fields>, before: Sides<Fields>): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    const [a, b] = [left[key], right[key]];
    if (a === undefined && !Object.hasOwn(right, key)) return false;
    if (a !== b && !isSameChange({ left: a, right: b }, { left: before.left[key], right: before.right[key] }))
      return false;
  }
  return true;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): List => (Array.isArray(value) ? value : NO_ITEMS);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : NO_FIELDS);
