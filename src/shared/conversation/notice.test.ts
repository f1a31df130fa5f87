import { expect, test } from 'vitest';
import { toMessage } from './conversation.ts';
import { isDivider, noticeAction, isNotice, timeOf } from './notice.ts';

const read = (fields: object) => {
  const message = toMessage({ id: '1', content: [], ...fields });
  return [isNotice(message), noticeAction(message), isDivider(message)];
};

test.each<[string, ReturnType<typeof read>, object]>([
  ['a notice', [true, null, false], { modifier: 'admin', notice: true }],
  ['a notice with a button', [true, 'again', false], { modifier: 'admin', notice: true, action: 'again' }],
  [
    'a notice with an unknown button',
    [true, null, false],
    { modifier: 'admin', notice: true, action: 'delete' },
  ],
  ['a divider', [false, null, true], { modifier: 'admin', divider: true }],
  ['an ordinary message of an administrator', [false, null, false], { modifier: 'admin', action: 'again' }],
  ['an answer that claims to be both', [false, null, false], { modifier: 'ai', notice: true, divider: true }],
  ['values of other types', [false, null, false], { modifier: 'admin', notice: 1, divider: 'yes' }],
])('reads %s', (_, expected, fields) => {
  expect(read(fields)).toEqual(expected);
});

test.each<[unknown, number | undefined]>([
  ['2026-11-25T22:50:11.123Z', Date.UTC(2026, 10, 25, 22, 50, 11, 123)],
  ['2026-11-25T22:50:11Z', Date.UTC(2026, 10, 25, 22, 50, 11)],
  ['2026-99-25T22:50:11.123Z', undefined],
  ['25 November 2026', undefined],
  [1_764_000_000_000, undefined],
  [undefined, undefined],
])('reads the time %j as %j', (time, expected) => {
  expect(timeOf(toMessage(Object.assign({ id: '1' }, time === undefined ? {} : { time })))).toBe(expected);
});
