import { setImmediate } from 'node:timers/promises';
import { sharedPart } from '#shared/store/rootReducer.ts';
import { MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import * as act from '#shared/actions/windowActions.ts';
import { syncBridge, toolsBridge } from '#tests/builders/syncBridge.ts';
import { message } from '#tests/builders/updateOf.ts';
import { createWindowStore, sendState } from './createWindowStore.ts';
import { configureStore } from '@reduxjs/toolkit';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';
import { accountChanged, windowOpened } from '#shared/actions/mainActions.ts';
import { isWindowStateAction, parseSentAction } from '#shared/actions/actionTable.ts';
import { sampleActions } from '#tests/builders/sampleActions.ts';
import { ofWindow, windowsReducer } from '#shared/store/openWindows.ts';

/** Lengths with which a conversation of more than a few messages arrives in several parts. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  NEWEST_PART_LENGTH: 600,
  PART_LENGTH: 200,
}));

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

type TestedMain = ReturnType<typeof syncBridge>;
type TestedWindow = ReturnType<typeof createWindowStore>;

function snapshot(main: TestedMain, count: number, prefix = 'm'): void {
  const messages = Array.from({ length: count }, (_, index) => message(`${prefix}${index}`));
  main.receive({ person: 'Ada', messages, words: ['stop', prefix] });
  main.clock.advance(100);
}

/** Creates main with messages, and a window that waits for its state. */
function opened(count = 3) {
  const main = syncBridge();
  main.launch();
  snapshot(main, count);
  return { main, window: createWindowStore(main.sync, toolsBridge().tools) };
}

function forwardName(main: TestedMain, name: string): unknown {
  main.receive({ name });
  main.clock.advance(200);
  return main.forwarded().at(-1);
}

const personIn = (window: TestedWindow) => window.getState().conversation.person;

test('keeps the window’s state, and actions that arrive before main’s, and applies once those that it does not contain', async () => {
  const { main, window } = opened();
  window.dispatch(act.viewChanged({ view: 'login' }));
  const { own } = window.getState();
  main.receive(message('4'));
  main.clock.advance(100);
  main.deliver(main.forwarded().at(-1));
  const before = main.shared();
  main.deliver(forwardName(main, 'Bob'), forwardName(main, 'Cy'));
  expect(personIn(window)).toBeNull();
  await main.answer(before);
  expect(sharedPart(window.getState())).toEqual(main.shared());
  expect([personIn(window), main.fetches.length]).toEqual(['Cy', 0]);
  expect(window.getState().conversation.messages.length).toBe(4);
  expect(window.getState().own).toBe(own);
});

test('retries a fetch that was refused, or answered with another value than a state, with the next heartbeat; then drops the actions that it has applied, and what is not a numbered action, and fetches the state once when one before several is missing', async () => {
  const { main, window } = opened();
  for (const answer of ['no JSON', { person: 'Eve' }, null, undefined]) {
    main.deliver(main.forwarded().at(-1));
    await (answer === undefined ? main.refuse() : main.answer(answer));
    expect([window.getState().sequence, main.fetches.length]).toEqual([0, 0]);
    main.deliver(main.heartbeat());
  }
  const warning = 'The state could not be fetched; the next action retries it.';
  expect(console.warn).toHaveBeenNthCalledWith(4, warning, expect.any(Error));
  await main.answer();
  const before = window.getState();
  expect(sharedPart(before)).toEqual(main.shared());
  const others = [{ payload: 1 }, { type: 'session/ended' }, { type: 'x', meta: { seq: 'y' } }];
  main.deliver(undefined, 'text', ...others);
  expect(window.getState()).toBe(before);
  expect(main.fetches).toEqual([]);
  const [bob, cy] = [forwardName(main, 'Bob'), forwardName(main, 'Cy')];
  main.deliver(bob, bob, cy);
  expect([personIn(window), main.fetches.length]).toEqual(['Cy', 0]);
  forwardName(main, 'lost');
  main.deliver(forwardName(main, 'Di'), forwardName(main, 'Ed'));
  expect([personIn(window), main.fetches.length]).toEqual(['Cy', 1]);
  await main.answer();
  expect(sharedPart(window.getState())).toEqual(main.shared());
});

function startSending() {
  const { tools, sent, emit } = toolsBridge();
  const store = configureStore({
    reducer: { own: windowStateReducer },
    middleware: (defaults) => defaults().concat(sendState(tools, (task) => task())),
  });
  return { store, sent, emit };
}

test('sends the state when the page loads, then each action of it in order, and the state again when main requests it, unless main has every action, or the last ones may be on their way: main lacks one that was sent before its previous number', () => {
  const { store, sent, emit } = startSending();
  emit('requestState', 1);
  const actions = [
    act.viewChanged({ view: 'conversation' }),
    act.textBoxOpened({ text: 'h' }),
    act.textBoxClosed(),
  ];
  // What is dispatched because of an action follows it.
  const stop = store.subscribe(() => {
    stop();
    actions.slice(1).forEach(store.dispatch);
  });
  actions.slice(0, 1).forEach(store.dispatch);
  emit('requestState');
  const state = { ...initialWindowState, view: 'conversation' } as const;
  expect(sent.splice(0)).toEqual([
    ['action', act.stateReported({ state: initialWindowState }), 0],
    ...actions.map((action, at) => ['action', action, at + 1]),
    ['action', act.stateReported({ state }), 4],
  ]);
  emit('requestState', 5);
  store.dispatch(act.textBoxOpened({ text: 'h' }));
  emit('requestState', 5);
  store.dispatch(act.textBoxEdited({ text: 'hi' }));
  emit('requestState', 6);
  emit('requestState', 7);
  expect(sent).toHaveLength(2);
  store.dispatch(act.textBoxEdited({ text: 'hi!' }));
  emit('requestState', 7);
  expect(sent).toHaveLength(3);
  emit('requestState', 7);
  const newest = act.stateReported({ state: { ...state, textBox: 'hi!' } });
  expect(sent.slice(3)).toEqual([['action', newest, 8]]);
});

test('answers no request with a draft of the person before while the sign-out waits for a missing action', async () => {
  const main = syncBridge();
  const { tools, sent, emit } = toolsBridge();
  const store = createWindowStore(main.sync, tools);
  emit('requestState');
  expect(sent).toHaveLength(2);
  await main.answer();
  store.subscribe(() => {
    const { notices, own } = store.getState();
    if (notices.account === false && own.view !== 'login') store.dispatch(act.viewChanged({ view: 'login' }));
  });
  store.dispatch(act.textBoxOpened({ text: 'a draft' }));
  const old = main.shared();
  main.dispatch(accountChanged({ account: false, reason: null }));
  main.dispatch(sessionEnded());
  // The first of the two is lost.
  main.deliver(main.forwarded().at(-1));
  const before = sent.length;
  emit('requestState');
  // Main answered before them.
  await main.answer(old);
  await main.refuse();
  expect(sent).toHaveLength(before);
  main.deliver(main.heartbeat());
  await main.answer();
  expect(sent.slice(before)).toEqual([
    ['action', act.viewChanged({ view: 'login' }), before],
    ['action', act.stateReported({ state: { ...initialWindowState, view: 'login' } }), before + 1],
  ]);
});

test('contract §4 reports: main’s copy of the window’s state, from its reports, equals the state of the window', () => {
  const { store, sent } = startSending();
  for (const action of sampleActions().filter(isWindowStateAction)) store.dispatch(action);
  const reports = sent.flatMap(([, action]) => parseSentAction(action) ?? []);
  expect(reports).toHaveLength(sent.length);
  const copy = [windowOpened(1), ...reports.map((action) => ofWindow(action, 1))].reduce(windowsReducer, {});
  expect(copy[1]?.own).toEqual(store.getState().own);
});

/** Returns the index from which on every message has arrived. */
function arrivedFrom(window: TestedWindow): number {
  const { messages } = window.getState().conversation;
  const indices = Array.from({ length: messages.length }, (_, index) => index);
  const arrived = indices.filter((index) => itemAt(messages, index) !== MISSING_MESSAGE);
  expect(arrived).toEqual(indices.slice(-arrived.length));
  return arrived[0] ?? messages.length;
}

/** Answers the requests for parts, which come one by one, each for what is before the parts that have arrived. */
async function answerAllParts({ main, window }: ReturnType<typeof opened>): Promise<void> {
  for (let from = arrivedFrom(window); main.partFetches.length > 0; from = arrivedFrom(window)) {
    expect(main.partFetches.map(({ before }) => before)).toEqual([from]);
    await main.answerPart();
    expect(arrivedFrom(window)).toBeLessThan(from);
  }
  expect(arrivedFrom(window)).toBe(0);
  expect(sharedPart(window.getState())).toEqual(main.shared());
}

test('a long conversation is fetched part by part, the newest first, each after the previous one has been applied; one that is refused, or answered with another value or none, with the next heartbeat; a snapshot, and the end of the session, drop the old parts', async () => {
  const both = opened(40);
  const { main } = both;
  // The conversation is older than the state.
  forwardName(main, 'Bob');
  await main.answer();
  for (const text of ['refused', 'no JSON', '{"length":1,"from":0,"messages":7}', null]) {
    if (text === 'refused') await main.refusePart();
    else main.partFetches.shift()?.resolve(text);
    await setImmediate();
    expect(main.partFetches).toEqual([]);
    main.deliver(main.heartbeat());
  }
  const warning = 'A part of the conversation could not be fetched; the next heartbeat retries it.';
  expect(console.warn).toHaveBeenNthCalledWith(3, warning, expect.any(Error));
  await answerAllParts(both);
  const other = opened(40);
  await other.main.answer();
  const delivered = other.main.forwarded().length;
  await other.main.answerPart();
  const late = other.main.partFetches[0];
  snapshot(other.main, 50, 'n');
  other.main.deliver(...other.main.forwarded().slice(delivered));
  late?.resolve('{"length":40,"from":0,"messages":[]}');
  await other.main.answerPart();
  await answerAllParts(other);
  expect(other.main.fetches).toEqual([]);
  const { main: ended } = opened(40);
  await ended.answer();
  ended.dispatch(sessionEnded());
  ended.deliver(ended.forwarded().at(-1));
  ended.partFetches.shift()?.resolve('{"length":40,"from":9,"messages":[]}');
  await setImmediate();
  expect(ended.partFetches).toEqual([]);
});
