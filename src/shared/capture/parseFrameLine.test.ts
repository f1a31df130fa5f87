import { expect, test } from 'vitest';
import { seededRandom } from '#tests/builders/seededRandom.ts';
import { tryParseJson } from '../tryParseJson.ts';
import { parseFrameLine } from './parseFrameLine.ts';

const lineOf = (time: string, data = '{"text":"a \\"b\\" \\\\ é 😀"}') =>
  `{"t":${time},"type":"recv","data":${JSON.stringify(data)}}`;

test.each(['0', '7', '100', '0.5', '0.001', '1234.5', '700.07', '4503599627.37', '123456789012345'])(
  'parses the line of a received frame at %s as JSON.parse does',
  (time) => {
    expect(parseFrameLine(lineOf(time))).toEqual(JSON.parse(lineOf(time)));
  },
);

test.each([
  ['a time that JSON does not have', lineOf('01')],
  ['a time with two points', lineOf('1.2.3')],
  ['a time without digits before the point', lineOf('.5')],
  ['a time without digits after the point', lineOf('5.')],
  ['no time', lineOf('')],
  ['a time with an exponent', lineOf('1e3')],
  ['a negative time', lineOf('-1')],
  ['a time with nanoseconds', lineOf('1.0005')],
  ['a time with 16 digits', lineOf('9007199254740993')],
  ['a sent frame', '{"t":1,"type":"send","data":"x"}'],
  ['another type', '{"t":10,"type":"","":7}'],
  ['another order', '{"type":"recv","t":1,"data":"x"}'],
  ['a field before the time', '{"a":{"t":1,"type":"recv","data":"x"}'],
  ['a field after the data', '{"t":1,"type":"recv","data":"AAEC","encoding":"base64"}'],
  ['a second data field', '{"t":1,"type":"recv","data":"x","data":"y"}'],
  ['a list as data', '{"t":1,"type":"recv","data":["x"]}'],
  ['text after the record', `${lineOf('1')} `],
  ['no closing brace', lineOf('1').slice(0, -1)],
  ['a bracket in place of the closing brace', lineOf('1').replace(/}$/, ']')],
  ['no closing quote', '{"t":1,"type":"recv","data":"x}'],
  ['only an opening quote', '{"t":1,"type":"recv","data":"}'],
  ['a control character', '{"t":1,"type":"recv","data":"\t"}'],
  ['nothing', ''],
])('leaves a line with %s to JSON.parse', (_, line) => {
  expect(parseFrameLine(line)).toBeUndefined();
});

test('gives the record of JSON.parse, or none, for lines with random changes', () => {
  const random = seededRandom(1);
  const oneOf = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const lines = [lineOf('1234.567'), lineOf('0'), '{"t":1,"type":"recv","data":"x","encoding":"base64"}'];
  const pieces = [
    '"data":"',
    ',"type":"recv"',
    '',
    ...'{ } [ ] " , : . 0 1 7 9 e - \\ t u'.split(' '),
    ' ',
    '\n',
  ];
  const changed = Array.from({ length: 2000 }, () => {
    const line = oneOf(lines);
    const from = Math.floor(random() * line.length);
    return line.slice(0, from) + oneOf(pieces) + line.slice(from + Math.floor(random() * 3));
  });
  const parsed = changed.filter((line) => parseFrameLine(line) !== undefined);
  expect(parsed.length).toBeGreaterThan(100);
  expect(parsed.map(parseFrameLine)).toEqual(parsed.map(tryParseJson));
});
