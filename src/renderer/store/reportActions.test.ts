import { configureStore } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { initialOwnState, ownReducer } from '#shared/window/ownReducer.ts';
import {
  menuOpened,
  stateReported,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { toolsBridge } from '#tests/builders/toolsBridge.ts';
import { reportActions } from './reportActions.ts';

function start() {
  const { tools, sent, emit } = toolsBridge();
  const store = configureStore({
    reducer: { own: ownReducer },
    middleware: (defaults) => defaults().concat(reportActions(tools)),
  });
  return { store, sent, emit };
}

test('reports the state when the page loads, then each own action in order', () => {
  const { store, sent } = start();
  store.dispatch(viewChanged({ view: 'conversation' }));
  store.dispatch(textBoxOpened({ text: 'h' }));
  store.dispatch(textBoxClosed());
  expect(sent).toEqual([
    ['report', 0, stateReported({ state: initialOwnState })],
    ['report', 1, viewChanged({ view: 'conversation' })],
    ['report', 2, textBoxOpened({ text: 'h' })],
    ['report', 3, { type: 'textBox/closed' }],
  ]);
});

test('reports the state when main requests it, with the next number', () => {
  const { store, sent, emit } = start();
  store.dispatch(textBoxOpened({ text: 'h' }));
  emit('reportState');
  const state = { ...initialOwnState, textBox: 'h' };
  expect(sent.slice(2)).toEqual([['report', 2, stateReported({ state })]]);
});

test('reports the state when main lacks a report that was sent before main’s previous number', () => {
  const { store, sent, emit } = start();
  store.dispatch(textBoxOpened({ text: 'h' }));
  emit('reportState', 1);
  expect(sent).toHaveLength(2);
  emit('reportState', 1);
  const state = { ...initialOwnState, textBox: 'h' };
  expect(sent.slice(2)).toEqual([['report', 2, stateReported({ state })]]);
});

test('reports nothing while main has every report, or the last ones may be on their way', () => {
  const { store, sent, emit } = start();
  emit('reportState', 1);
  store.dispatch(textBoxOpened({ text: 'h' }));
  emit('reportState', 1);
  store.dispatch(textBoxEdited({ text: 'hi' }));
  emit('reportState', 2);
  emit('reportState', 3);
  expect(sent).toHaveLength(3);
});

test('reports no action that is not the window’s own', () => {
  const { store, sent } = start();
  store.dispatch({ type: 'session/ended' });
  expect(sent).toHaveLength(1);
});

test('reports an action that a subscriber dispatches after the action that caused it', () => {
  const { store, sent } = start();
  const stop = store.subscribe(() => {
    stop();
    store.dispatch(textBoxEdited({ text: 'hi' }));
  });
  store.dispatch(menuOpened());
  expect(sent.slice(1).map(([, , action]) => action)).toEqual([
    { type: 'menu/opened' },
    textBoxEdited({ text: 'hi' }),
  ]);
});
