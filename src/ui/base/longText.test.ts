import { expect, it, onTestFinished, vi } from 'vitest';
import { isCostlyText, splitIntoBlocks } from './longText.ts';
import { hasTime, runInSlices } from './runInSlices.ts';
import { splitLinks } from './splitLinks.ts';
import { createTimeTexts } from './Arrival.tsx';

it('cuts at the end of a line, else after a space, else between characters, loses nothing, and cuts a very long line within seconds', () => {
  for (const length of [7, 8])
    expect(splitIntoBlocks('one\ntwo\nthree', length)).toEqual(['one\ntwo', 'three']);
  expect(splitIntoBlocks('one\ntwo\nthree', 13)).toHaveLength(1);
  expect(splitIntoBlocks('one two three', 6)).toEqual(['one ', 'two ', 'three']);
  expect(splitIntoBlocks('aaaa👋bbbb👋c', 5)).toEqual(['aaaa', '👋bbb', 'b👋c']);
  expect(splitIntoBlocks('a'.repeat(20_000_000))).toHaveLength(1000);
});

const HEBREW = 'שלום עולם 2026, ';

it.each([
  [false, 'a long text', 'word '.repeat(40_000)],
  [false, 'a long right-to-left text', 'שלום עולם, '.repeat(15_000)],
  [false, 'a text with some changes of direction', `${HEBREW}Parley `.repeat(300)],
  [false, 'letters with a hundred combining marks', `a${'\u0301'.repeat(100)} `.repeat(1000)],
  [true, 'thousands of changes of direction', 'aא'.repeat(5000)],
  [true, 'thousands of changes of direction with neutral characters between', 'a - א! '.repeat(2000)],
  [false, 'a thousand changes of direction by control characters', 'a\u202Eb\u202C'.repeat(500)],
  [true, 'one more of either kind', `אa ${'a\u202Eb\u202C'.repeat(500)}`],
  [false, 'long words with each kind of space between', ' \t\n\r '.split('').join('…'.repeat(20_000))],
  [true, 'a very long text without a space', '…'.repeat(20_001)],
  [true, 'a letter with one more mark', `text a${'\u0301'.repeat(101)}`],
])('isCostlyText returns %s for %s', (expected, _, text) => expect(isCostlyText(text)).toBe(expected));

it.each([
  ['See https://example.org/a?b=c#d.', ['https://example.org/a?b=c#d']],
  ['HTTP://EXAMPLE.ORG, mailto:ada@example.org!', ['HTTP://EXAMPLE.ORG', 'mailto:ada@example.org']],
  ['(https://a.org/a_(b)) [x](https://a.org)', ['https://a.org/a_(b)', 'https://a.org']],
  ['**https://example.org/** "https://example.org/a"', ['https://example.org/', 'https://example.org/a']],
  ['看https://example.org/北京，很好。', ['https://example.org/北京']],
  ['https://example.org/\u202Egro', ['https://example.org/']],
  [`https://a.org/${'x'.repeat(2034)}`, [`https://a.org/${'x'.repeat(2034)}`]],
])('finds the addresses of %j without the punctuation around them', (text, expected) => {
  const parts = splitLinks(text);
  expect(parts.flatMap((part) => (part.isLink ? part.text : []))).toEqual(expected);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

it.each([
  ['no scheme', 'example.org //example.org/ ada@example.org https:example.org'],
  ['another scheme', 'javascript:alert(1) data:text/html,x file:///etc/passwd ftp://example.org'],
  ['a scheme within a word', 'xhttps://example.org http\u017F://example.org'],
  ['no host', 'https:// https://. mailto: mailto:!'],
  ['an ellipsis at its end', 'https://example.org/cut…'],
  ['more than 2048 characters', `https://a.org/${'x'.repeat(2035)}`],
])('finds no address with %s', (_, text) => expect(splitLinks(text)).toEqual([{ text, isLink: false }]));

it('splits long texts without backtracking into a limited number of parts', () => {
  // A pattern that backtracks takes longer than the test’s timeout.
  for (const repeated of ['http://', 'http://a ', 'http://a)', 'mailto:', '((((', 'http://(.)'])
    expect(splitLinks(repeated.repeat(100_000)).length).toBeLessThanOrEqual(1002);
});

const AT = Date.UTC(2026, 10, 22, 15, 20);
const MINUTE = 60_000;

it.each([
  ['de', 'Europe/Stockholm', '16:20', 'Sonntag, 22. November 2026'],
  ['de', 'Asia/Tokyo', '00:20', 'Montag, 23. November 2026'],
  ['en-US', 'America/New_York', '10:20 AM', 'Sunday, November 22, 2026'],
])('in %s and %s, writes the time as %s and the date as %s', (locale, zone, ...[time, day]) => {
  const texts = createTimeTexts(locale, zone);
  expect(texts.time(AT).replace('\u202f', ' ')).toBe(time);
  expect(texts.day(AT)).toBe(day);
});

it('a day ends at local midnight', () => {
  const { areOnDifferentDays } = createTimeTexts('en', 'Asia/Kathmandu');
  const midnight = Date.UTC(2026, 10, 22, 18, 15);
  expect(areOnDifferentDays(midnight - MINUTE, midnight)).toBe(true);
  expect(areOnDifferentDays(midnight - 60 * MINUTE, midnight - MINUTE)).toBe(false);
  expect(areOnDifferentDays(midnight, midnight + 23 * 60 * MINUTE)).toBe(false);
  expect(areOnDifferentDays(midnight - MINUTE, midnight + 24 * 60 * MINUTE)).toBe(true);
});

it('runs work on markup while the task has time, then the newest first in later tasks, and none that is cancelled', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
  const done: string[] = [];
  const run = (name: string, ms: number) =>
    runInSlices(() => {
      now += ms;
      done.push(name);
      if (name === 'fails') throw new Error(name);
    });
  const [, , cancel] = ['a', 'b', 'cancelled', 'c', 'd', 'e'].map((name) => run(name, 20));
  cancel?.();
  expect(done.splice(0)).toEqual(['a', 'b']);
  vi.runOnlyPendingTimers();
  expect([done.splice(0), hasTime()]).toEqual([['e', 'd'], false]);
  vi.runAllTimers();
  expect([done.splice(0), hasTime()]).toEqual([['c'], true]);
  // The time of work that fails counts, too.
  expect(() => run('fails', 40)).toThrow('fails');
  run('f', 1);
  expect([done, hasTime()]).toEqual([['fails'], false]);
  vi.runAllTimers();
  expect([done, hasTime()]).toEqual([['fails', 'f'], true]);
});
