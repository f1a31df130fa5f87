import { afterEach, expect, test } from 'vitest';
import { PLACES, type Places, stackOf } from './stackOf.ts';

afterEach(() => void Reflect.deleteProperty(globalThis, PLACES));

/** Returns the stack of an error with these calls in a browser whose scripts provide these places. */
function shown(calls: readonly string[], places?: Places): string {
  if (places !== undefined) Reflect.set(globalThis, PLACES, places);
  const error = new TypeError('no\nsuch fruit');
  error.stack = ['TypeError: no', 'such fruit', ...calls.map((call) => `    at ${call}`)].join('\n');
  return stackOf(error);
}

const WORKER = 'http://127.0.0.1:4300/worker.js';

test('names the places of an exception in the sources of the app, and leaves out all other calls', () => {
  const lines = { 39: 'app/board.ts:37', 12: 'adapter.ts:4' };
  expect(shown([`reduce (${WORKER}:39:35)`, `${WORKER}:12:1`, `uh (${WORKER}:102:39772)`], { lines })).toBe(
    'TypeError: no\nsuch fruit\n    at reduce (app/board.ts:37)\n    at adapter.ts:4',
  );
  expect(shown(['Object.pane [as draw] (blob:null/6-1:12:3)'], { lines })).toMatch(
    /\[as draw\] \(adapter\.ts:4\)$/,
  );
});

test.each<readonly [string, readonly string[], Places | undefined]>([
  ['without places', [`reduce (${WORKER}:39:35)`], undefined],
  ['when no call is in the sources', [`uh (${WORKER}:102:1)`], { lines: { 39: 'a.ts:1' } }],
  [
    'when the line is of another script',
    ['Sl (http://x/inspector.js:6:1)'],
    { script: 'pane.js', lines: { 6: 'pane.ts:2' } },
  ],
])('returns the whole stack %s', (_, calls, places) => {
  expect(shown(calls, places)).toBe(`TypeError: no\nsuch fruit\n    at ${calls[0]}`);
});

test('describes what is not an error', () => {
  expect(stackOf('no')).toBe('no');
});
