import { expect, test } from 'vitest';
import { frameDifference } from './frameDifference.ts';

const deep = (text: string) => `{"text":"${text}","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

test('compares a frame nested too deep as text', () => {
  expect(frameDifference({ data: deep('a') }, { data: deep('a') })).toEqual([]);
  expect(frameDifference({ data: deep('a') }, { data: deep('b') })).toMatchObject([{ field: '' }]);
});
