import { expect, test } from 'vitest';
import { logTail } from './createLog.ts';

const line = (fields: object) =>
  JSON.stringify({ level: 40, time: '2026-11-20T09:00:00.000Z', msg: 'said', ...fields });
const shown = (fields: object) => {
  const tail = logTail();
  tail.write(line(fields));
  return tail.lines();
};
const SAID = '2026-11-20T09:00:00.000Z warn said';

test('keeps the last fifty lines in their order', () => {
  const tail = logTail();
  for (let n = 1; n <= 60; n++) tail.write(line({ code: n }));
  expect(tail.lines()).toHaveLength(50);
  expect(tail.lines().at(0)).toBe(`${SAID} code=11`);
  expect(tail.lines().at(-1)).toBe(`${SAID} code=60`);
});

test.each([
  [{ code: 1006 }, ' code=1006'],
  [{ code: 'ENOENT', reason: 'notJson', bytes: 12 }, ' code=ENOENT reason=notJson bytes=12'],
  [{ category: 'text', channel: 'nav' }, ' category=text channel=nav'],
])('shows the fields %j', (fields, text) => {
  expect(shown(fields)).toEqual([SAID + text]);
});

test.each([
  { path: '/home/ada' },
  { person: 'Ada' },
  { where: 'messages[0].Ada' },
  { error: { message: 'x' } },
  { reason: 'You, ada@example.org, are not welcome' },
  { code: '/home/ada' },
  { channel: 'x'.repeat(41) },
  { category: ['a'] },
])('does not show the fields %j', (fields) => {
  expect(shown(fields)).toEqual([SAID]);
});
