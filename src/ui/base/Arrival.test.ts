import { expect, test } from 'vitest';
import { createTimeTexts } from './Arrival.tsx';

const AT = Date.UTC(2026, 10, 22, 15, 20);
const MINUTE = 60_000;

test.each([
  ['de', 'Europe/Stockholm', '16:20', 'Sonntag, 22. November 2026'],
  ['de', 'Asia/Tokyo', '00:20', 'Montag, 23. November 2026'],
  ['en-US', 'America/New_York', '10:20 AM', 'Sunday, November 22, 2026'],
  ['sv', 'UTC', '15:20', 'söndag 22 november 2026'],
])('in %s and %s, writes the time as %s and the date as %s', (locale, zone, ...[time, day]) => {
  const texts = createTimeTexts(locale, zone);
  expect(texts.time(AT).replace('\u202f', ' ')).toBe(time);
  expect(texts.day(AT)).toBe(day);
});

test.each([
  ['Europe/Stockholm', Date.UTC(2026, 10, 22, 23, 0)],
  ['Asia/Kathmandu', Date.UTC(2026, 10, 22, 18, 15)],
  ['America/St_Johns', Date.UTC(2026, 10, 22, 3, 30)],
])('in %s, a day ends at local midnight', (zone, midnight) => {
  const { areOnDifferentDays } = createTimeTexts('en', zone);
  expect(areOnDifferentDays(midnight - MINUTE, midnight)).toBe(true);
  expect(areOnDifferentDays(midnight - 60 * MINUTE, midnight - MINUTE)).toBe(false);
  expect(areOnDifferentDays(midnight, midnight + 23 * 60 * MINUTE)).toBe(false);
  expect(areOnDifferentDays(midnight - MINUTE, midnight + 24 * 60 * MINUTE)).toBe(true);
});
