import { expect, test } from 'vitest';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { watchDataFolder } from './watchDataFolder.ts';

test('reports a removed data folder once, in the windows and in the log, within a second', () => {
  const clock = virtualClock();
  const { log, lines } = mainLog();
  const notices: string[] = [];
  let isIntact = true;
  watchDataFolder({
    folder: { isIntact: () => isIntact },
    clock,
    log,
    notify: (text) => notices.push(text),
  });
  clock.advance(5000);
  expect([notices, lines()]).toEqual([[], []]);
  isIntact = false;
  clock.advance(1000);
  expect(notices).toEqual([expect.stringContaining('The data folder was removed or replaced')]);
  expect(lines()).toEqual([expect.objectContaining({ level: 'error' })]);
  clock.advance(5000);
  expect([notices.length, lines().length]).toEqual([1, 1]);
});
