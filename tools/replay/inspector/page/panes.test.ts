import { expect, it, test } from 'vitest';
import * as fc from 'fast-check';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { appendedPart } from '../../diff/appendedPart.ts';
import { changedPart, shownChanges } from './panes/DiffPane.tsx';
import { jsonLines } from './panes/WirePane.tsx';
import { ancestorPaths } from './panes/stateTree.ts';
import { formatCount, formatPlural } from './parts/format.ts';
import { lanePath } from './timeline/Plot.tsx';
import { formatTime, parseTime } from '../time/formatTime.ts';

const change = (path: string) => ({ path, before: 1, after: 2 });
const diffView = { step: 4, base: 3, diff: [change('person'), change('counts.applied')], diffTotal: 2 };

test('omits the changes of the counts unless they are wanted, and says why no change is shown', () => {
  expect(shownChanges(diffView, false)).toMatchObject({ changes: [change('person')], total: 1 });
  expect(shownChanges(diffView, true)).toMatchObject({ changes: diffView.diff, total: 2 });
  expect(shownChanges({ ...diffView, diffTotal: -1 }, false).total).toBe(-1);
  const noneOf = (part: object) => shownChanges({ ...diffView, ...part }, false).none;
  expect(noneOf({ step: 0, base: 0, diff: [] })).toMatch(/^Before the first step/);
  expect(noneOf({ diff: [change('counts.sent')] })).toBe('Nothing changed except the counts.');
  expect(noneOf({ diff: [] })).toBe('Nothing in the state changed.');
});

test.each([
  ['x'.repeat(30), `${'x'.repeat(30)}y`, { end: `…${'x'.repeat(24)}`, added: 'y' }],
  ['It', 'is', undefined],
  [null, 'text', undefined],
])('returns what was appended to %j in %j', (before, after, appended) => {
  expect(appendedPart({ before, after })).toEqual(appended);
});

it.each([
  ['"It"', '"It does"', { start: '"It', before: '', after: ' does', end: '"' }],
  ['1', '2', { start: '', before: '1', after: '2', end: '' }],
  ['x', 'x', { start: 'x', before: '', after: '', end: '' }],
])('returns only what differs between %s and %s', (before, after, part) => {
  expect(changedPart(before, after)).toEqual(part);
});

const shownLines = (text: string) =>
  jsonLines(text, 100).lines.map(
    ({ indent, tokens }) => ' '.repeat(indent * 2) + tokens.map((token) => token.text).join(''),
  );

it('indents nested lists and objects, by 50 levels at most, writes empty ones on one line, and reads no more of 30 MB than it shows', () => {
  const shown = JSON.stringify({ a: [1, { b: 2 }], c: { d: 3 } }, null, 2);
  expect(shownLines('{"a":[1,{"b":2}],"c":{"d":3}}')).toEqual(shown.split('\n'));
  expect(shownLines('[{},[]]')).toEqual(['[', '  {},', '  []', ']']);
  const { lines, isCut } = jsonLines('['.repeat(30_000_000), 300);
  expect([isCut, lines.length, Math.max(...lines.map(({ indent }) => indent))]).toEqual([true, 300, 50]);
});

it.each(['{"text":"cut off', 'NaN', '', '[{"a"'])('keeps all of %j, which is not valid JSON', (text) => {
  expect(shownLines(text).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
});

test('returns the places above a path, with the index of the next one in a list', () => {
  expect(ancestorPaths('messages[3].content[0]["a [1]"].b')).toEqual([
    { path: 'messages', index: 3 },
    { path: 'messages[3]', index: undefined },
    { path: 'messages[3].content', index: 0 },
    { path: 'messages[3].content[0]', index: undefined },
    { path: 'messages[3].content[0]["a [1]"]', index: undefined },
  ]);
  expect(ancestorPaths('person')).toEqual([]);
});

test('formats counts, with the singular and the plural, and times to the millisecond; parses each time, seconds and milliseconds, and rejects other texts', () => {
  expect([0, 1_234_567].map(formatCount)).toEqual(['0', '1,234,567']);
  expect([formatPlural(1, 'step'), formatPlural(12_345, 'step')]).toEqual(['1 step', '12,345 steps']);
  const shown = ['0.000', '1:00.000', '2:03.400', '1:02:03.400'];
  expect([0, 59_999.6, 123_400, 3_723_400].map(formatTime)).toEqual(shown);
  checkAll(100, [fc.nat(1e8)], (ms) => {
    expect(parseTime(formatTime(ms))).toBe(ms);
  });
  expect(['12', '2:03', '1500 ms', '1.5 s'].map(parseTime)).toEqual([12_000, 123_000, 1500, 1500]);
  const others = ['', '1 year', '1:2', '-1', '1:2:03:04'];
  expect(others.map(parseTime)).toEqual(others.map(() => undefined));
});

const laneOf = (...values: number[]) => lanePath(Uint32Array.from(values), { floor: 50, height: 40 });

test('draws no bar for zero, a full bar for the maximum, and no path without values', () => {
  expect(laneOf(0, 4, 2)).toBe('M0 50V50.0h1V10.0h1V30.0h1V50z');
  expect(laneOf(0, 0)).toBe('');
});
