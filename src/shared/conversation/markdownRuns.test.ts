import { expect, test } from 'vitest';
import type { ContentItem } from '../protocol/update.ts';
import { formatOf, markdownRuns, showsNothing, sourceOfRun } from './markdownRuns.ts';
import { vectorOf } from './vector.ts';

const item = (text: string | null, format?: unknown): ContentItem => ({ category: 'text', text, format });

test('joins consecutive items of one format', () => {
  const content = vectorOf([
    item('why', 'reasoning'),
    item('# a\n', 'markdown'),
    item('b', 'markdown'),
    item('plain'),
    item('c', 'markdown'),
  ]);
  expect(markdownRuns(content)).toEqual([
    { format: 'reasoning', first: 0, end: 1 },
    { format: 'markdown', first: 1, end: 3 },
    { format: null, first: 3, end: 4 },
    { format: 'markdown', first: 4, end: 5 },
  ]);
  expect(markdownRuns(content, 2).at(-1)).toEqual({ format: 'markdown', first: 1, end: 2 });
});

test('returns the exact concatenation of the texts of a run, and where each item begins', () => {
  const content = vectorOf([item('one ', 'markdown'), item(null, 'markdown'), item(' two', 'markdown')]);
  const [run] = markdownRuns(content);
  expect(run && sourceOfRun(content, run)).toEqual({ source: 'one  two', starts: [0, 4, 4] });
});

test.each([undefined, null, '', 'html', 'Markdown', 1, {}, ['markdown']])(
  'shows an item of the format %j as an ordinary text',
  (format) => expect(formatOf(item('a', format))).toBeNull(),
);

test('knows a format of texts only', () => {
  expect(formatOf({ category: 'image', format: 'markdown' })).toBeNull();
});

test.each([
  ['an ordinary item', [item('', 'markdown'), item('a')], true],
  ['an item of an unknown format', [item(null, 'markdown'), item('a', 'html')], true],
  ['another known format', [item('', 'markdown'), item('a', 'reasoning')], true],
  ['nothing', [item('', 'markdown')], false],
  ['an item with the same format', [item('', 'markdown'), item('a', 'markdown')], false],
])('shows nothing of an empty item of Markdown only before another run: before %s', (_, items, isHidden) => {
  const content = vectorOf(items);
  expect(markdownRuns(content).map((run) => showsNothing(content, run))[0]).toBe(isHidden);
});
