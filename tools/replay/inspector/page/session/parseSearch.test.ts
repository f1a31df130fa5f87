import { describe, expect, it } from 'vitest';
import { SearchError, parseSearch } from './parseSearch.ts';

describe('parseSearch', () => {
  it.each([
    ['1.230', 1230],
    ['2:03.400', 123_400],
    ['1500 ms', 1500],
  ])('parses the time %s as %d ms', (text, t) => {
    expect(parseSearch({ kind: 'time', text })).toEqual({ kind: 'time', t });
  });

  it('removes the white space around an expression', () => {
    expect(parseSearch({ kind: 'expression', text: ' connection == 1 ' })).toEqual({
      kind: 'expression',
      expression: 'connection == 1',
    });
  });

  it.each([
    ['update', 'twelve'],
    ['time', '1 year'],
    ['frame', '  '],
  ] as const)('rejects the %s %j', (kind, text) => {
    expect(() => parseSearch({ kind, text })).toThrow(SearchError);
  });
});
