import { expect, test } from 'vitest';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { createProgress } from './progress.ts';

function progressOn(isErrTerminal: boolean) {
  const clock = virtualClock();
  const said: string[] = [];
  const output = {
    out: () => {},
    err: (text: string) => void said.push(text),
    isOutColored: false,
    isErrTerminal,
  };
  return { clock, said, progress: createProgress(output, clock, 'reading') };
}

test('a terminal and more than a second, how far it is, a tenth of a second apart, then nothing', () => {
  const { clock, said, progress } = progressOn(true);
  progress.at(1, 100);
  clock.advance(999);
  progress.at(2, 100);
  clock.advance(1);
  progress.at(25, 100);
  progress.at(26, 100);
  clock.advance(100);
  progress.at(100, 100);
  progress.end();
  expect(said).toEqual([
    '\r\u001B[Kreading  ██████░░░░░░░░░░░░░░░░░░  25 %',
    '\r\u001B[Kreading  ████████████████████████  100 %',
    '\r\u001B[K',
  ]);
});

test('done within a second, nothing at all', () => {
  const { said, progress } = progressOn(true);
  progress.at(100, 100);
  progress.end();
  expect(said).toEqual([]);
});

test('no terminal, nothing however long it takes', () => {
  const { clock, said, progress } = progressOn(false);
  clock.advance(5000);
  progress.at(1, 2);
  progress.end();
  expect(said).toEqual([]);
});
