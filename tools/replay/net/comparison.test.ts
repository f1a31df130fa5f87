import { expect, test } from 'vitest';
import { frameDifference } from './comparison.ts';

const deep = (text: string) => `{"text":"${text}","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

test('compares a frame nested too deep as text', () => {
  expect(frameDifference({ data: deep('a') }, { data: deep('a') })).toEqual([]);
  expect(frameDifference({ data: deep('a') }, { data: deep('b') })).toMatchObject([{ field: '' }]);
});

test('names an own `__proto__` that only one of the frames has', () => {
  expect(frameDifference({ data: '{"__proto__":1}' }, { data: '{}' })).toEqual([
    { field: '__proto__', recorded: '1', got: undefined },
  ]);
});
