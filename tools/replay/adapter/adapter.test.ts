import { writeFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { counterAdapter } from '../testing/counterAdapter.ts';
import { findNonJson } from '../engine/plainData.ts';
import { checkAdapter } from './checkAdapter.ts';
import { temporaryFolder } from '../testing/files.ts';
import { refuseEndlessLoading } from './loadAdapter.ts';
import { PLACES, type Places, stackOf } from './stackOf.ts';

test('takes the adapter from the export of that name, or from the default export', () => {
  expect(checkAdapter({ adapter: counterAdapter })).toBe(counterAdapter);
  expect(checkAdapter({ default: counterAdapter })).toBe(counterAdapter);
});

const having = (parts: object) => ({ adapter: { ...counterAdapter, ...parts } });

test.each([
  [{}, 'exports no adapter: neither `adapter` nor a default export'],
  [
    { adapter: { name: 3 } },
    'its adapter needs name (a string), decode (a function), kind (a function), reduce (a function), initialState',
  ],
  [having({ tick: 100 }), 'its adapter needs tick (a function, or nothing)'],
  [having({ redact: { codes: 'type' } }), 'its adapter needs redact ({ codes: a list of names })'],
  [having({ initialState: { cards: new Map() } }), 'state.cards is a Map; a state is plain data (JSON)'],
  [having({ display: () => [undefined] }), 'display[0] is undefined; a state is plain data (JSON)'],
])('refuses %o', (loaded, problem) => {
  expect(() => checkAdapter(loaded)).toThrow(problem);
});

class Card {
  readonly title = 'a';
}

const cycle: Record<string, unknown> = {};
cycle['list'] = [cycle];

const shared = { a: 1 };

test.each<readonly [unknown, object | undefined]>([
  [{ cards: [{ plain: 1 }, { 'a b': new Card() }] }, { path: 'state.cards[1]["a b"]', what: 'a Card' }],
  [[Number.NaN], { path: 'state[0]', what: 'NaN' }],
  [[Object.assign([1], { named: 1 })], { path: 'state[0]', what: 'a list with named fields' }],
  [[1, undefined], { path: 'state[1]', what: 'undefined' }],
  [{ sparse: Object.assign([1], { 2: 3 }) }, { path: 'state.sparse[1]', what: 'undefined' }],
  [cycle, { path: 'state.list[0]', what: expect.any(String) }],
  // It contains an object twice, but not itself.
  [[shared, { again: shared }, [shared]], undefined],
])('finds in the state %o what is not JSON, with its path and its kind', (state, found) => {
  expect(findNonJson(state, 'state')).toEqual(found);
});

test.each(['for (;;);', 'await new Promise((resolve) => setInterval(() => 0, 1000));'])(
  'refuses a module whose loading does not end: %s',
  async (text) => {
    const path = (await temporaryFolder())('x.mjs');
    await writeFile(path, text);
    const problem = /^--app \.\/x\.ts: is not loaded after 0\.1 s$/;
    await expect(refuseEndlessLoading(path, './x.ts', 100)).rejects.toThrow(problem);
  },
);

afterEach(() => void Reflect.deleteProperty(globalThis, PLACES));

/** Returns the stack of an error with these calls in a browser whose scripts provide places. */
function shown(...calls: readonly string[]): string {
  const places: Places = { lines: { 39: 'app/board.ts:37', 12: 'adapter.ts:4' } };
  Reflect.set(globalThis, PLACES, places);
  const error = new TypeError('no\nsuch fruit');
  error.stack = ['TypeError: no', 'such fruit', ...calls.map((call) => `    at ${call}`)].join('\n');
  return stackOf(error);
}

const WORKER = 'http://127.0.0.1:4300/worker.js';

test('names the places of an exception in the sources of the app, and leaves out all other calls', () => {
  expect(shown(`reduce (${WORKER}:39:35)`, `${WORKER}:12:1`, `uh (${WORKER}:102:39772)`)).toBe(
    'TypeError: no\nsuch fruit\n    at reduce (app/board.ts:37)\n    at adapter.ts:4',
  );
  const named = /\[as draw\] \(adapter\.ts:4\)$/;
  expect(shown('Object.pane [as draw] (blob:null/6-1:12:3)')).toMatch(named);
});
