import { array, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { alignSteps } from './alignSteps.ts';

/** Keys of steps that are named by letters; the kind of a step is its letter without the number. */
const keysOf = (steps: readonly string[]) => ({
  exact: Uint32Array.from(['', ...steps], (step) =>
    Array.from(step).reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7),
  ),
  kinds: Uint32Array.from(['', ...steps], (step) => step.charCodeAt(0) || 0),
});

const nameOf = (steps: readonly string[], step = 0) => (step === 0 ? '-' : (steps[step - 1] ?? '?'));

const present = (column: Uint32Array) => Array.from(column.slice(1)).filter((step) => step !== 0);

/** Aligns, and writes the rows as pairs of steps. */
function aligned(a: string, b: string): string {
  const [one, other] = [a.split(' ').filter(Boolean), b.split(' ').filter(Boolean)];
  const rows = alignSteps(keysOf(one), keysOf(other));
  return Array.from(
    rows.a.slice(1),
    (step, i) => `${nameOf(one, step)}/${nameOf(other, rows.b[i + 1])}`,
  ).join(' ');
}

test.each([
  ['the same steps', 'a1 b1 c1', 'a1 b1 c1', 'a1/a1 b1/b1 c1/c1'],
  ['a step that only the first has', 'a1 b1 c1', 'a1 c1', 'a1/a1 b1/- c1/c1'],
  ['a step that only the second has', 'a1 c1', 'a1 b1 c1', 'a1/a1 -/b1 c1/c1'],
  ['other content of the same kind', 'a1 b1 c1', 'a1 b2 c1', 'a1/a1 b1/b2 c1/c1'],
  ['another kind', 'a1 b1 c1', 'a1 d1 c1', 'a1/a1 b1/- -/d1 c1/c1'],
  ['repeated steps', 'a1 x1 x1 x1 b1', 'a1 x1 b1', 'a1/a1 x1/x1 x1/- x1/- b1/b1'],
  ['moved steps', 'a1 b1 c1 d1', 'b1 c1 d1 a1', 'a1/- b1/b1 c1/c1 d1/d1 -/a1'],
  ['no steps', '', 'a1', '-/a1'],
])('aligns %s', (_, ...[a, b, rows]) => {
  expect(aligned(a, b)).toBe(rows);
});

test('contains each step of both sessions once, in order', () => {
  const steps = array(constantFrom('a1', 'a2', 'b1', 'b2', 'c1'), { maxLength: 30 });
  checkProperty(
    property(steps, steps, (a, b) => {
      const rows = alignSteps(keysOf(a), keysOf(b));
      expect(present(rows.a)).toEqual(a.map((_, i) => i + 1));
      expect(present(rows.b)).toEqual(b.map((_, i) => i + 1));
    }),
    100,
  );
});

test('aligns a long session at the steps that each session has once', () => {
  const count = 20_000;
  const keys = (salt: number) => ({
    exact: Uint32Array.from({ length: count }, (_, i) => (i % 10 === salt ? i + salt * 1e6 : i)),
    kinds: new Uint32Array(count).fill(1),
  });
  const { a, b } = alignSteps(keys(1), keys(2));
  expect(a).toHaveLength(count);
  expect(b).toEqual(a);
});

test('aligns long sessions whose steps are in any order', () => {
  const count = 20_000;
  const kinds = new Uint32Array(count).fill(1);
  // 7,919 has no factor in common with the number of steps, so each step occurs once.
  const shuffled = Uint32Array.from({ length: count }, (_, i) => (i * 7919) % count);
  const { a, b } = alignSteps(
    { exact: Uint32Array.from(shuffled.keys()), kinds },
    { exact: shuffled, kinds },
  );
  expect(present(a)).toHaveLength(count - 1);
  expect(present(b)).toHaveLength(count - 1);
});
