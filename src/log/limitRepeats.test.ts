import { pino } from 'pino';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { limitRepeats } from './limitRepeats.ts';

function limitedLog() {
  const clock = virtualClock();
  const { hooks, flush } = limitRepeats(clock);
  const lines: unknown[] = [];
  const log = pino(
    { base: null, timestamp: false, hooks },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  return { log, clock, lines, flush };
}

test('writes 20 equal lines in 10 s, and then one line with the number of further ones', () => {
  const { log, clock, lines } = limitedLog();
  for (let i = 0; i < 3140; i++) log.warn({ reason: 'notJson', bytes: i }, 'frame rejected');
  expect(lines).toHaveLength(20);
  clock.advance(10_000);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toEqual({
    level: 40,
    reason: 'notJson',
    more: 3120,
    msg: 'frame rejected (and 3,120 more)',
  });
  expect(clock.nextDue()).toBeUndefined();
});

test('counts lines separately by level, message and reason, and those of a child logger with its parent’s', () => {
  const { log, lines, flush } = limitedLog();
  const child = log.child({ connection: 1 });
  for (let i = 0; i < 15; i++) {
    log.warn({ reason: 'a' }, 'rejected');
    log.warn({ reason: 'b' }, 'rejected');
    log.error({ reason: 'a' }, 'rejected');
    log.info('opened');
    child.info('opened');
  }
  expect(lines).toHaveLength(15 * 3 + 20);
  flush();
  expect(lines.slice(65)).toEqual([{ level: 30, more: 10, msg: 'opened (and 10 more)' }]);
});

test('writes the same lines again in a new period', () => {
  const { log, clock, lines } = limitedLog();
  for (let period = 0; period < 3; period++) {
    for (let i = 0; i < 20; i++) log.info('equal');
    clock.advance(10_000);
  }
  expect(lines).toHaveLength(60);
});

test('distinguishes errors by their message', () => {
  const { log, lines } = limitedLog();
  for (let i = 0; i < 30; i++) log.error(new Error(i % 2 === 0 ? 'one' : 'two'));
  expect(lines).toHaveLength(30);
});
