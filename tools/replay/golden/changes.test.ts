import { expect, test } from 'vitest';
import { actsDifferences } from './changes.ts';

const playing = { at: 10, changes: { 'audio.playing': { id: 'm' } } };
const ended = { at: 20, changes: { 'audio.playing': null } };
const isOff = { at: 30, changes: { 'audio.isOn': false } };

test('finds a change to null that the other side does not have', () => {
  const path = 'audio.playing at 20 ms';
  const [before, after] = [{ id: 'm' }, null];
  expect(actsDifferences([playing, ended, isOff], [playing, isOff])).toEqual([
    { path, before, expected: after, got: before },
  ]);
  expect(actsDifferences([playing], [playing, ended])).toEqual([
    { path, before, expected: before, got: after },
  ]);
  expect(actsDifferences([playing, ended], [playing, ended])).toEqual([]);
});
