import { configureStore } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';
import {
  menuOpened,
  stateReported,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { isWindowStateAction, parseSentAction } from '#shared/actions/actionTable.ts';
import { sampleActions } from '#tests/builders/sampleActions.ts';
import { toolsBridge } from '#tests/builders/toolsBridge.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { accountChanged, windowOpened } from '#shared/actions/mainActions.ts';
import { syncBridge } from '#tests/builders/syncBridge.ts';
import { ofWindow, windowsReducer } from '#shared/store/openWindows.ts';
import { createWindowStore, sendState } from './createWindowStore.ts';

function start() {
  const { tools, sent, emit } = toolsBridge();
  const store = configureStore({
    reducer: { own: windowStateReducer },
    middleware: (defaults) => defaults().concat(sendState(tools, (task) => task())),
  });
  return { store, sent, emit };
}

test('sends the state when the page loads, then each action of it in order', () => {
  const { store, sent } = start();
  store.dispatch(viewChanged({ view: 'conversation' }));
  store.dispatch(textBoxOpened({ text: 'h' }));
  store.dispatch(textBoxClosed());
  expect(sent).toEqual([
    ['action', stateReported({ state: initialWindowState }), 0],
    ['action', viewChanged({ view: 'conversation' }), 1],
    ['action', textBoxOpened({ text: 'h' }), 2],
    ['action', { type: 'textBox/closed' }, 3],
  ]);
});

test('sends the state when main requests it, with the next number', () => {
  const { store, sent, emit } = start();
  store.dispatch(textBoxOpened({ text: 'h' }));
  emit('requestState');
  const state = { ...initialWindowState, textBox: 'h' };
  expect(sent.slice(2)).toEqual([['action', stateReported({ state }), 2]]);
});

test('sends the state when main lacks an action that was sent before main’s previous number', () => {
  const { store, sent, emit } = start();
  store.dispatch(textBoxOpened({ text: 'h' }));
  emit('requestState', 1);
  expect(sent).toHaveLength(2);
  emit('requestState', 1);
  const state = { ...initialWindowState, textBox: 'h' };
  expect(sent.slice(2)).toEqual([['action', stateReported({ state }), 2]]);
});

test('sends nothing while main has every action, or the last ones may be on their way', () => {
  const { store, sent, emit } = start();
  emit('requestState', 1);
  store.dispatch(textBoxOpened({ text: 'h' }));
  emit('requestState', 1);
  store.dispatch(textBoxEdited({ text: 'hi' }));
  emit('requestState', 2);
  emit('requestState', 3);
  expect(sent).toHaveLength(3);
});

test('sends no action that is not of the window’s state', () => {
  const { store, sent } = start();
  store.dispatch({ type: 'session/ended' });
  expect(sent).toHaveLength(1);
});

test('sends an action that a subscriber dispatches after the action that caused it', () => {
  const { store, sent } = start();
  const stop = store.subscribe(() => {
    stop();
    store.dispatch(textBoxEdited({ text: 'hi' }));
  });
  store.dispatch(menuOpened());
  expect(sent.slice(1).map(([, action]) => action)).toEqual([
    { type: 'menu/opened' },
    textBoxEdited({ text: 'hi' }),
  ]);
});

test('answers no request with a draft of the person before while the sign-out waits for a missing action', async () => {
  const main = syncBridge();
  const { tools, sent, emit } = toolsBridge();
  const store = createWindowStore(main.sync, tools);
  await main.answer();
  store.subscribe(() => {
    const { notices, own } = store.getState();
    if (notices.account === false && own.view !== 'login') store.dispatch(viewChanged({ view: 'login' }));
  });
  store.dispatch(textBoxOpened({ text: 'a draft' }));
  main.dispatch(accountChanged({ account: false, reason: null }));
  main.dispatch(sessionEnded());
  // The first of the two is lost.
  main.deliver(main.forwarded().at(-1));
  const before = sent.length;
  emit('requestState');
  expect(sent).toHaveLength(before);
  await main.answer();
  expect(sent.slice(before)).toEqual([
    ['action', viewChanged({ view: 'login' }), before],
    ['action', stateReported({ state: { ...initialWindowState, view: 'login' } }), before + 1],
  ]);
});

test('contract §4 reports: main’s copy of the window’s state, from its reports, equals the state of the window', () => {
  const { store, sent } = start();
  for (const action of sampleActions().filter(isWindowStateAction)) store.dispatch(action);
  const reports = sent.flatMap(([, action]) => parseSentAction(action) ?? []);
  expect(reports).toHaveLength(sent.length);
  const copy = [windowOpened(1), ...reports.map((action) => ofWindow(action, 1))].reduce(windowsReducer, {});
  expect(copy[1]?.own).toEqual(store.getState().own);
});
