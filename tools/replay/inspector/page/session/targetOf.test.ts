import { describe, expect, it } from 'vitest';
import { SearchError, targetOf } from './targetOf.ts';

describe('targetOf', () => {
  it.each([
    ['1500', 1500],
    ['1500 ms', 1500],
    ['1.5 s', 1500],
    ['2min', 120_000],
  ])('parses the time %s as %d ms', (text, t) => {
    expect(targetOf({ kind: 'time', text })).toEqual({ kind: 'time', t });
  });

  it('removes the white space around an expression', () => {
    expect(targetOf({ kind: 'expression', text: ' connection == 1 ' })).toEqual({
      kind: 'expression',
      expression: 'connection == 1',
    });
  });

  it.each([
    ['update', 'twelve'],
    ['time', '1 year'],
    ['frame', '  '],
  ] as const)('rejects the %s %j', (kind, text) => {
    expect(() => targetOf({ kind, text })).toThrow(SearchError);
  });
});
