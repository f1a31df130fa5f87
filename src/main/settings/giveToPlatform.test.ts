import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { giveToPlatform } from './setUpAssistant.ts';

const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: null, key: 'sk-of-ada', prompt: null };

/** Gives settings to a platform that fails this often. */
function start(failures: number) {
  const clock = virtualClock();
  const kept = mainLog();
  const notes: string[] = [];
  let tries = 0;
  const platform = {
    async setAssistant() {
      tries += 1;
      if (tries <= failures) throw new Error(SETTINGS.key);
    },
  };
  const given = giveToPlatform(SETTINGS, {
    platform,
    clock,
    log: kept.log,
    notify: (text) => notes.push(text),
  });
  return { clock, kept, notes, given, tries: () => tries };
}

/** Runs what waits for promises. */
const settle = async () => {
  for (let at = 0; at < 5; at++) await Promise.resolve();
};

test('tries again half a second after an error', async () => {
  const { clock, given, tries, notes } = start(2);
  for (const expected of [1, 2]) {
    await settle();
    clock.advance(499);
    await settle();
    expect(tries()).toBe(expected);
    clock.advance(1);
  }
  await given;
  expect(tries()).toBe(3);
  expect(notes).toEqual([]);
});

test('tells the person after three errors, and logs no secret', async () => {
  const { clock, given, tries, notes, kept } = start(9);
  for (let at = 0; at < 3; at++) {
    await settle();
    clock.advance(500);
  }
  await given;
  expect(tries()).toBe(3);
  expect(notes).toHaveLength(1);
  expect(kept.lines()).toMatchObject([{ level: 'error' }]);
  expect(kept.text()).not.toContain(SETTINGS.key);
});
