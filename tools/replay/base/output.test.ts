import { expect, test } from 'vitest';
import { isColored } from './output.ts';

test.each([
  [true, undefined, true],
  [true, '', true],
  [true, '1', false],
  [true, '0', false],
  [false, undefined, false],
])('a stream that is a terminal (%s), with NO_COLOR %j, is colored: %s', (isTTY, noColor, expected) => {
  expect(isColored({ isTTY }, { NO_COLOR: noColor })).toBe(expected);
});
