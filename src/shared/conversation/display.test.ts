import { expect, test } from 'vitest';
import { PLACEHOLDER, displayedCategory, displayedText, initialsOf, positionOf } from './display.ts';
import type { ContentItem } from '../protocol/update.ts';
import { formatOf, markdownRuns, showsNothing } from './markdownRuns.ts';
import { vectorOf } from './vector.ts';
import { toMessage } from './conversation.ts';
import { isDivider, noticeAction, isNotice, timeOf } from './notice.ts';

test('spec §2.5 grouping: returns the position of each item', () => {
  expect([positionOf(0, 1), positionOf(0, 2), positionOf(1, 2)]).toEqual(['none', 'first', 'last']);
  expect([0, 1, 2, 3].map((index) => positionOf(index, 4))).toEqual(['first', 'middle', 'middle', 'last']);
});

test.each([
  ['two words', 'Ada Lovelace', 'AL'],
  ['contract §3: one word', 'Ada', 'AA'],
  ['spaces around and between', '  Ada   Lovelace ', 'AL'],
  ['a tab and a no-break space between', 'Ada\tKing\u00a0Lovelace', 'AL'],
  ['letters outside the Basic Multilingual Plane', '𐐨da 𐐩ing', '𐐀𐐁'],
  ['empty', '', ''],
  ['a last word without a letter', 'Ada Lovelace 🙂 (2)', 'AL'],
  ['only digits and signs', '42 – !', ''],
])('spec §2.6 person: returns the initials of a name: %s', (_, name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('spec §2.4 text, contract §3 texts: displays three dots in place of an empty or missing text', () => {
  expect(['', null, undefined, 'hi'].map(displayedText)).toEqual(['...', '...', '...', 'hi']);
  expect(PLACEHOLDER).toBe('...');
});

test('spec §2.4 category: displays an unknown or missing category as a file', () => {
  expect(['text', 'audio', 'file'].map(displayedCategory)).toEqual(['text', 'audio', 'file']);
  for (const other of ['pdf', '', 'constructor', undefined]) expect(displayedCategory(other)).toBe('file');
});

const textItem = (text: string | null, format?: unknown): ContentItem => ({ category: 'text', text, format });

test('joins consecutive items of one format, and knows no other formats', () => {
  for (const format of [undefined, 'html', 'Markdown', ['markdown']])
    expect(formatOf(textItem('a', format))).toBeNull();
  const content = vectorOf([
    textItem('why', 'reasoning'),
    textItem('# a\n', 'markdown'),
    textItem('b', 'markdown'),
    textItem('plain'),
    textItem('c', 'markdown'),
  ]);
  expect(markdownRuns(content)).toEqual([
    { format: 'reasoning', first: 0, end: 1 },
    { format: 'markdown', first: 1, end: 3 },
    { format: null, first: 3, end: 4 },
    { format: 'markdown', first: 4, end: 5 },
  ]);
  expect(markdownRuns(content, 2).at(-1)).toEqual({ format: 'markdown', first: 1, end: 2 });
});

test.each([
  ['an ordinary item', [textItem('', 'markdown'), textItem('a')], true],
  ['an item of an unknown format', [textItem(null, 'markdown'), textItem('a', 'html')], true],
  ['another known format', [textItem('', 'markdown'), textItem('a', 'reasoning')], true],
  ['nothing', [textItem('', 'markdown')], false],
  ['an item with the same format', [textItem('', 'markdown'), textItem('a', 'markdown')], false],
])('shows nothing of an empty item of Markdown only before another run: before %s', (_, items, isHidden) => {
  const content = vectorOf(items);
  expect(markdownRuns(content).map((run) => showsNothing(content, run))[0]).toBe(isHidden);
});

test.each<[string, [boolean, string | null, boolean], object]>([
  ['a notice', [true, null, false], { modifier: 'admin', notice: true }],
  ['a notice with a button', [true, 'again', false], { modifier: 'admin', notice: true, action: 'again' }],
  ['one with an unknown button', [true, null, false], { modifier: 'admin', notice: true, action: 'delete' }],
  ['a divider', [false, null, true], { modifier: 'admin', divider: true }],
  ['an ordinary message of an administrator', [false, null, false], { modifier: 'admin', action: 'again' }],
  ['an answer that claims to be both', [false, null, false], { modifier: 'ai', notice: true, divider: true }],
  ['values of other types', [false, null, false], { modifier: 'admin', notice: 1, divider: 'yes' }],
])('reads %s', (_, expected, fields) => {
  const message = toMessage({ id: '1', content: [], ...fields });
  expect([isNotice(message), noticeAction(message), isDivider(message)]).toEqual(expected);
});

test.each<[unknown, number | undefined]>([
  ['2026-11-25T22:50:11.123Z', Date.UTC(2026, 10, 25, 22, 50, 11, 123)],
  ['2026-99-25T22:50:11.123Z', undefined],
  ['25 November 2026', undefined],
  [1_764_000_000_000, undefined],
  [undefined, undefined],
])('reads the time %j as %j', (time, expected) => {
  expect(timeOf(toMessage(Object.assign({ id: '1' }, time === undefined ? {} : { time })))).toBe(expected);
});
