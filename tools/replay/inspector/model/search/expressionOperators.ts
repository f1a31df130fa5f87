/**
 * The operators of an expression. They convert no types: values of different types are not equal, not less and not greater, and
 * arithmetic with them gives no number.
 */

type Unary = (value: unknown) => unknown;
type Binary = (a: unknown, b: unknown) => unknown;

/** The unary operators. */
export const UNARY: ReadonlyMap<string, Unary> = new Map<string, Unary>([
  ['!', (value) => !value],
  ['-', (value) => (typeof value === 'number' ? -value : Number.NaN)],
]);

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Compares two values; `null` and `undefined` are equal. */
export const isEqual = (a: unknown, b: unknown): boolean => a === b || (isAbsent(a) && isAbsent(b));

const comparison =
  (numbers: (a: number, b: number) => boolean, texts: (a: string, b: string) => boolean): Binary =>
  (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return numbers(a, b);
    return typeof a === 'string' && typeof b === 'string' && texts(a, b);
  };

const arithmetic =
  (calculate: (a: number, b: number) => number): Binary =>
  (a, b) =>
    typeof a === 'number' && typeof b === 'number' ? calculate(a, b) : Number.NaN;

const sum = arithmetic((a, b) => a + b);

/** The binary operators, which evaluate both sides. */
export const BINARY: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['==', isEqual],
  ['!=', (a, b) => !isEqual(a, b)],
  ['===', (a, b) => a === b],
  ['!==', (a, b) => a !== b],
  [
    '<',
    comparison(
      (a, b) => a < b,
      (a, b) => a < b,
    ),
  ],
  [
    '<=',
    comparison(
      (a, b) => a <= b,
      (a, b) => a <= b,
    ),
  ],
  [
    '>',
    comparison(
      (a, b) => a > b,
      (a, b) => a > b,
    ),
  ],
  [
    '>=',
    comparison(
      (a, b) => a >= b,
      (a, b) => a >= b,
    ),
  ],
  ['+', (a, b) => (typeof a === 'string' && typeof b === 'string' ? a + b : sum(a, b))],
  ['-', arithmetic((a, b) => a - b)],
  ['*', arithmetic((a, b) => a * b)],
  ['/', arithmetic((a, b) => a / b)],
  ['%', arithmetic((a, b) => a % b)],
]);

/** The logical operators, which evaluate the right side only when they need it. */
type Logical = (a: unknown, b: () => unknown) => unknown;

/** The operators that evaluate their right side only when it is needed. */
export const LOGICAL: ReadonlyMap<string, Logical> = new Map<string, Logical>([
  ['&&', (a, b) => a && b()],
  ['||', (a, b) => a || b()],
]);
