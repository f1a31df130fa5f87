import { describe, expect, it } from 'vitest';
import { jsonLines } from './WirePane.tsx';

const shown = (text: string, most = 100) =>
  jsonLines(text, most).lines.map(
    ({ indent, tokens }) => ' '.repeat(indent * 2) + tokens.map((token) => token.text).join(''),
  );

describe('jsonLines', () => {
  it('reads no more of 30 MB of brackets than it shows, and indents 50 levels at most', () => {
    const { lines, isCut } = jsonLines('['.repeat(30_000_000), 300);
    expect(isCut).toBe(true);
    expect(lines).toHaveLength(300);
    expect(Math.max(...lines.map(({ indent }) => indent))).toBe(50);
  });

  it('keeps all digits of a number that JavaScript cannot represent', () => {
    expect(shown('{"id":12345678901234567890,"x":1.000}')).toEqual([
      '{',
      '  "id": 12345678901234567890,',
      '  "x": 1.000',
      '}',
    ]);
  });

  it('indents nested lists and objects, and writes empty ones on one line', () => {
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
    'keeps the complete text of %j, which is not valid JSON',
    (text) => {
      expect(shown(text).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    },
  );

  it('cuts the text at the maximum number of lines', () => {
    expect(jsonLines('[1,2,3,4]', 3)).toMatchObject({ isCut: true, lines: { length: 3 } });
  });

  it('distinguishes a key from a value with the same text', () => {
    const [, line] = jsonLines('{"a":"a"}', 10).lines;
    expect(line?.tokens.map(({ part }) => part)).toEqual(['key', 'sign', 'string']);
  });
});
