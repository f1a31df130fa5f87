import type { Action } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { sessionStore } from '#tests/builders/sessionStore.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { actionsForwarded, parseForwarded } from './actionsForwarded.ts';
import { connectionConfirmed } from '../store/connection.ts';
import { heartbeat, sequenceNumber } from '../store/sequence.ts';

/** Returns actions of main, as its store numbered them. */
function numbered(): Action[] {
  const session = sessionStore();
  session.launch();
  session.dispatch(connectionConfirmed());
  for (const frame of [message('1'), item('a'), { text: 'b' }, { name: 'Ada' }]) session.receive(frame);
  session.clock.advance(1000);
  return session.reduced.filter((action): action is Action => sequenceNumber(action) !== undefined);
}

test('carries any actions in their order: an applied update has its number, its frame, its size and its tick', () => {
  const actions = [...numbered(), heartbeat(6)];
  expect(actions).toHaveLength(7);
  expect(parseForwarded(actionsForwarded(actions).payload)).toEqual(JSON.parse(JSON.stringify(actions)));
});

test('contains an applied update without the names of its fields', () => {
  const [update] = numbered().slice(2);
  expect(JSON.parse(actionsForwarded(update === undefined ? [] : [update]).payload)).toEqual([
    [3, 'message', message('1'), JSON.stringify(message('1')).length, 100],
  ]);
});

test.each(['{}', 'null', '"text"'])('refuses %s, which is not a list', (text) => {
  expect(() => parseForwarded(text)).toThrow('Not a list of actions.');
});
