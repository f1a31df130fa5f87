import { sharedPart } from '#shared/store/rootReducer.ts';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectionClosed, connectionConfirmed } from '#shared/actions/sessionActions.ts';
import { anyDelivery, deliverUnreliably } from '#tests/builders/deliverUnreliably.ts';
import { checkAsyncProperty } from '#tests/builders/checkProperty.ts';
import { viewChanged } from '#shared/actions/windowActions.ts';
import { toolsBridge } from '#tests/builders/toolsBridge.ts';
import { syncBridge } from '#tests/builders/syncBridge.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { createWindowStore } from './createWindowStore.ts';

/** Silences the warnings about refused fetches. */
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

/** Creates main with a session and three messages. */
function createMain() {
  const main = syncBridge();
  main.launch();
  main.receive({ person: 'Ada', messages: [message('1')] });
  main.receive(message('2'));
  main.receive(message('3'));
  main.clock.advance(300);
  return main;
}

type Main = ReturnType<typeof createMain>;

/** Makes main forward one more action; returns the action. */
function forwardName(main: Main, name: string): unknown {
  main.receive({ name });
  main.clock.advance(200);
  return main.forwarded().at(-1);
}

async function createSyncedWindow() {
  const main = createMain();
  const window = createWindowStore(main.sync, toolsBridge().tools);
  await main.answer();
  return { main, window };
}

const personIn = (window: ReturnType<typeof createWindowStore>) => window.getState().conversation.person;

describe('fetching', () => {
  test('gives a late window main’s whole state', async () => {
    const main = createMain();
    const window = createWindowStore(main.sync, toolsBridge().tools);
    expect(window.getState().conversation.messages.length).toBe(0);
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
    expect(main.fetches).toEqual([]);
  });

  test('keeps the window’s state', async () => {
    const main = createMain();
    const window = createWindowStore(main.sync, toolsBridge().tools);
    window.dispatch(viewChanged({ view: 'login' }));
    const { own } = window.getState();
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
    expect(window.getState().own).toBe(own);
  });

  test('keeps actions that arrive before the state and applies them after it', async () => {
    const main = createMain();
    const window = createWindowStore(main.sync, toolsBridge().tools);
    const before = main.shared();
    main.deliver(forwardName(main, 'Bob'), forwardName(main, 'Cy'));
    expect(personIn(window)).toBeNull();
    await main.answer(before);
    expect(sharedPart(window.getState())).toEqual(main.shared());
    expect([personIn(window), main.fetches.length]).toEqual(['Cy', 0]);
  });

  test('applies actions that the state already contains only once', async () => {
    const main = createMain();
    const window = createWindowStore(main.sync, toolsBridge().tools);
    main.receive(message('4'));
    main.clock.advance(100);
    main.deliver(main.forwarded().at(-1));
    await main.answer();
    expect(window.getState().conversation.messages.length).toBe(4);
  });

  test('fetches again when the kept actions have a gap', async () => {
    const main = createMain();
    const window = createWindowStore(main.sync, toolsBridge().tools);
    const before = main.shared();
    forwardName(main, 'lost');
    main.deliver(forwardName(main, 'Bob'));
    await main.answer(before);
    expect(main.fetches).toHaveLength(1);
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test('retries a refused fetch with the next action', async () => {
    const main = createMain();
    const window = createWindowStore(main.sync, toolsBridge().tools);
    await main.refuse();
    expect(main.fetches).toEqual([]);
    main.deliver(forwardName(main, 'Bob'));
    expect(main.fetches).toHaveLength(1);
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test('retries a refused fetch with the next heartbeat', async () => {
    const main = createMain();
    const window = createWindowStore(main.sync, toolsBridge().tools);
    await main.refuse();
    main.deliver(main.heartbeat());
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test.each([['no JSON'], [{ person: 'Eve' }], [null]])(
    'treats the answer %j, which is not a state, as a refused fetch',
    async (answer) => {
      const main = createMain();
      const window = createWindowStore(main.sync, toolsBridge().tools);
      await main.answer(answer);
      expect(window.getState().sequence).toBe(0);
      main.deliver(main.heartbeat());
      await main.answer();
      expect(sharedPart(window.getState())).toEqual(main.shared());
    },
  );
});

describe('following', () => {
  test('applies the next number immediately, without a fetch', async () => {
    const { main, window } = await createSyncedWindow();
    main.deliver(forwardName(main, 'Bob'));
    expect([personIn(window), main.fetches.length]).toEqual(['Bob', 0]);
  });

  test('applies actions of different kinds that arrive together in their order', async () => {
    const { main, window } = await createSyncedWindow();
    const names = ['Bob', 'Cy', 'Di'].map((name) => forwardName(main, name));
    main.receive({ person: 'Ed', messages: [message('5')] });
    main.receive(item('more'));
    main.clock.advance(200);
    main.deliver(...names, ...main.forwarded().slice(-2));
    expect(window.getState().sequence).toBe(main.shared().sequence);
    expect(sharedPart(window.getState())).toEqual(main.shared());
    expect(main.fetches).toEqual([]);
  });

  test('drops the actions that it has applied, and fetches the state once when one before several is missing', async () => {
    const { main, window } = await createSyncedWindow();
    const [bob, cy] = [forwardName(main, 'Bob'), forwardName(main, 'Cy')];
    main.deliver(bob, bob, cy);
    expect([personIn(window), main.fetches.length]).toEqual(['Cy', 0]);
    forwardName(main, 'lost');
    main.deliver(forwardName(main, 'Di'), forwardName(main, 'Ed'));
    expect([personIn(window), main.fetches.length]).toEqual(['Cy', 1]);
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test('applies an action that arrives twice only once', async () => {
    const { main, window } = await createSyncedWindow();
    main.receive(item('more'));
    main.clock.advance(100);
    const action = main.forwarded().at(-1);
    main.deliver(action, action);
    expect(sharedPart(window.getState())).toEqual(main.shared());
    expect(main.fetches).toEqual([]);
  });

  test('drops a late action', async () => {
    const { main, window } = await createSyncedWindow();
    const bob = forwardName(main, 'Bob');
    main.deliver(bob, forwardName(main, 'Cy'), bob);
    expect([personIn(window), main.fetches.length]).toEqual(['Cy', 0]);
  });

  test('fetches the state again when a number is missing', async () => {
    const { main, window } = await createSyncedWindow();
    main.receive(message('lost'));
    main.clock.advance(100);
    main.deliver(forwardName(main, 'Bob'));
    expect(personIn(window)).toBe('Ada');
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test('fetches once for many actions after a gap', async () => {
    const { main, window } = await createSyncedWindow();
    forwardName(main, 'lost');
    main.deliver(forwardName(main, 'b'), forwardName(main, 'c'), forwardName(main, 'd'));
    expect(main.fetches).toHaveLength(1);
    await main.answer();
    expect([personIn(window), main.fetches.length]).toEqual(['d', 0]);
  });

  test('notices with the heartbeat that the last action was lost', async () => {
    const { main, window } = await createSyncedWindow();
    forwardName(main, 'lost');
    main.deliver(main.heartbeat());
    await main.answer();
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test('does not fetch when the heartbeat has the window’s number', async () => {
    const { main } = await createSyncedWindow();
    main.deliver(main.heartbeat());
    expect(main.fetches).toEqual([]);
  });

  test('follows a restarted main with lower numbers from the heartbeat on', async () => {
    const { main, window } = await createSyncedWindow();
    main.deliver(forwardName(main, 'b'), forwardName(main, 'c'), forwardName(main, 'd'));
    const restarted = createMain();
    restarted.dispatch(connectionConfirmed());
    expect(restarted.shared().sequence).toBeLessThan(window.getState().sequence);
    main.deliver(restarted.heartbeat());
    await main.answer(restarted.shared());
    main.deliver(forwardName(restarted, 'Cy'));
    expect(sharedPart(window.getState())).toEqual(restarted.shared());
  });

  test.each([
    [undefined],
    ['text'],
    [{ payload: 1 }],
    [{ type: 'session/ended' }],
    [{ type: 'x', meta: { seq: 'y' } }],
  ])('ignores %j, which is not a numbered action', async (action) => {
    const { main, window } = await createSyncedWindow();
    const before = window.getState();
    main.deliver(action);
    expect(window.getState()).toBe(before);
    expect(main.fetches).toEqual([]);
  });
});

describe('any losses', () => {
  type Act = 'message' | 'item' | 'confirmed' | 'closed' | 'launch' | 'heartbeat' | 'answer' | 'refuse';
  const act = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Act>('message') },
    { weight: 3, arbitrary: fc.constant<Act>('item') },
    { weight: 1, arbitrary: fc.constantFrom<Act[]>('confirmed', 'closed', 'launch') },
    { weight: 2, arbitrary: fc.constantFrom<Act[]>('heartbeat', 'answer', 'refuse') },
  );
  const steps = fc.array(fc.record({ act, delivery: anyDelivery }), { minLength: 1, maxLength: 60 });

  /** Performs one action in main. */
  async function perform(main: Main, what: Act) {
    if (what === 'answer') return main.answer();
    if (what === 'refuse') return main.refuse();
    if (what === 'heartbeat') return main.deliver(main.heartbeat());
    if (what === 'launch') return main.launch();
    if (what === 'confirmed') return main.dispatch(connectionConfirmed());
    if (what === 'closed') return main.dispatch(connectionClosed({ code: 1006, reason: '' }));
    main.receive(what === 'message' ? message(`${main.shared().sequence}`) : item('x'));
    return main.clock.advance(100);
  }

  test('ends in main’s state after any lost, duplicated and reordered actions and any refused fetches', async () => {
    let refetched = 0;
    await checkAsyncProperty(
      fc.asyncProperty(steps, async (list) => {
        const main = createMain();
        const window = createWindowStore(main.sync, toolsBridge().tools);
        await deliverUnreliably(main, list, perform);
        for (; main.fetches.length > 0; refetched++) await main.answer();
        expect(sharedPart(window.getState())).toEqual(main.shared());
      }),
      300,
    );
    expect(refetched).toBeGreaterThan(100);
  });
});
