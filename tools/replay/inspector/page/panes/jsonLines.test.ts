import { describe, expect, it } from 'vitest';
import { jsonLines } from './jsonLines.ts';

const shown = (text: string, most = 100) =>
  jsonLines(text, most).lines.map(
    ({ indent, tokens }) => ' '.repeat(indent * 2) + tokens.map((token) => token.text).join(''),
  );

describe('JSON, laid out from its text', () => {
  it('reads no more of 30 MB of brackets than it shows, and indents 50 levels at most', () => {
    const { lines, isCut } = jsonLines('['.repeat(30_000_000), 300);
    expect(isCut).toBe(true);
    expect(lines).toHaveLength(300);
    expect(Math.max(...lines.map(({ indent }) => indent))).toBe(50);
  });

  it('a number beyond what JavaScript counts, with all its digits', () => {
    expect(shown('{"id":12345678901234567890,"x":1.000}')).toEqual([
      '{',
      '  "id": 12345678901234567890,',
      '  "x": 1.000',
      '}',
    ]);
  });

  it('lists within objects, each further in, the empty ones on one line', () => {
    expect(shown('{"a":[1,{"b":[]}],"c":{}}')).toEqual([
      '{',
      '  "a": [',
      '    1,',
      '    {',
      '      "b": []',
      '    }',
      '  ],',
      '  "c": {}',
      '}',
    ]);
  });

  it.each(['{"text":"cut off', 'NaN', '', '17', '[{"a"'])(
    'what is no whole JSON, %j, with all it has',
    (text) => {
      expect(shown(text).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    },
  );

  it('more lines than wanted, cut there', () => {
    expect(jsonLines('[1,2,3,4]', 3)).toMatchObject({ isCut: true, lines: { length: 3 } });
  });

  it('a key and a value of the same text, told apart', () => {
    const [, line] = jsonLines('{"a":"a"}', 10).lines;
    expect(line?.tokens.map(({ part }) => part)).toEqual(['key', 'sign', 'string']);
  });
});
