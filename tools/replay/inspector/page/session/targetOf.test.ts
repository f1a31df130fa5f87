import { describe, expect, it } from 'vitest';
import { SearchError, targetOf } from './targetOf.ts';

describe('what to look for', () => {
  it.each([
    ['1500', 1500],
    ['1500 ms', 1500],
    ['1.5 s', 1500],
    ['2min', 120_000],
  ])('the time %s, %d ms', (text, t) => {
    expect(targetOf({ kind: 'time', text })).toEqual({ kind: 'time', t });
  });

  it('an expression, as it is without the space around it', () => {
    expect(targetOf({ kind: 'expression', text: ' connection == 1 ' })).toEqual({
      kind: 'expression',
      expression: 'connection == 1',
    });
  });

  it.each([
    ['update', 'twelve'],
    ['time', '1 year'],
    ['frame', '  '],
  ] as const)('%s %j, refused with what to enter', (kind, text) => {
    expect(() => targetOf({ kind, text })).toThrow(SearchError);
  });
});
