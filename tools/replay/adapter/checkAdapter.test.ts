import { expect, test } from 'vitest';
import { counterAdapter } from '../testing/counterAdapter.ts';
import { checkAdapter } from './checkAdapter.ts';

test('takes the adapter from the export of that name, or from the default export', () => {
  expect(checkAdapter({ adapter: counterAdapter })).toBe(counterAdapter);
  expect(checkAdapter({ default: counterAdapter })).toBe(counterAdapter);
});

const having = (parts: object) => ({ adapter: { ...counterAdapter, ...parts } });

test.each([
  [{}, 'exports no adapter: neither `adapter` nor a default export'],
  [{ default: () => 0 }, 'exports no adapter: neither `adapter` nor a default export'],
  [
    { adapter: { name: 3 } },
    'its adapter needs name (a string), decode (a function), kind (a function), reduce (a function), initialState',
  ],
  [having({ tick: 100 }), 'its adapter needs tick (a function, or nothing)'],
  [having({ redact: { codes: 'type' } }), 'its adapter needs redact ({ codes: a list of names })'],
  [
    having({ initialState: { cards: new Map() }, display: undefined }),
    'state.cards is a Map; a state is plain data (JSON)',
  ],
  [having({ display: () => [undefined] }), 'display[0] is undefined; a state is plain data (JSON)'],
  [
    having({ initialState: [{ 'a b': Number.NaN }], display: undefined }),
    'state[0]["a b"] is NaN; a state is plain data (JSON)',
  ],
])('refuses %o', (loaded, problem) => {
  expect(() => checkAdapter(loaded)).toThrow(problem);
});

test('refuses a state that contains itself', () => {
  const state: Record<string, unknown> = {};
  state['self'] = state;
  expect(() => checkAdapter(having({ initialState: state, display: undefined }))).toThrow(
    'state.self is a cycle: an object that contains itself; a state is plain data (JSON)',
  );
});
