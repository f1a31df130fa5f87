import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectionClosed, connectionConfirmed } from '#shared/store/connection.ts';
import { deliverUnreliably, fate } from '#tests/builders/deliverUnreliably.ts';
import { holdsAsync } from '#tests/builders/property.ts';
import { syncBridge } from '#tests/builders/syncBridge.ts';
import { item, message } from '#tests/builders/updates.ts';
import { createWindowStore } from './store.ts';

/** Main tells when a fetch is refused, which is no news here. */
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

/** Main with a session and three messages. */
function talking() {
  const main = syncBridge();
  main.launch();
  main.receive({ person: 'Ada', messages: [message('1')] });
  main.receive(message('2'));
  main.receive(message('3'));
  main.clock.advance(300);
  return main;
}

type Main = ReturnType<typeof talking>;

/** Makes main forward one action more, and gives it back. */
function say(main: Main, name: string): unknown {
  main.receive({ name });
  main.clock.advance(200);
  return main.forwarded().at(-1);
}

async function following() {
  const main = talking();
  const window = createWindowStore(main.sync);
  await main.answer();
  return { main, window };
}

const personIn = (window: ReturnType<typeof createWindowStore>) => window.getState().conversation.person;

describe('fetching', () => {
  test('a window that opens late, main’s whole state', async () => {
    const main = talking();
    const window = createWindowStore(main.sync);
    expect(window.getState().conversation.messages.length).toBe(0);
    await main.answer();
    expect(window.getState()).toEqual(main.shared());
    expect(main.fetches).toEqual([]);
  });

  test('actions before the state has come, kept and applied after it', async () => {
    const main = talking();
    const window = createWindowStore(main.sync);
    const before = main.shared();
    main.deliver(say(main, 'Bob'), say(main, 'Cy'));
    expect(personIn(window)).toBeNull();
    await main.answer(before);
    expect(window.getState()).toEqual(main.shared());
    expect([personIn(window), main.fetches.length]).toEqual(['Cy', 0]);
  });

  test('actions that the state holds already, applied once', async () => {
    const main = talking();
    const window = createWindowStore(main.sync);
    main.receive(message('4'));
    main.clock.advance(100);
    main.deliver(main.forwarded().at(-1));
    await main.answer();
    expect(window.getState().conversation.messages.length).toBe(4);
  });

  test('a gap within what was kept, fetched again', async () => {
    const main = talking();
    const window = createWindowStore(main.sync);
    const before = main.shared();
    say(main, 'lost');
    main.deliver(say(main, 'Bob'));
    await main.answer(before);
    expect(main.fetches).toHaveLength(1);
    await main.answer();
    expect(window.getState()).toEqual(main.shared());
  });

  test('a fetch that is refused, made again with the next action', async () => {
    const main = talking();
    const window = createWindowStore(main.sync);
    await main.refuse();
    expect(main.fetches).toEqual([]);
    main.deliver(say(main, 'Bob'));
    expect(main.fetches).toHaveLength(1);
    await main.answer();
    expect(window.getState()).toEqual(main.shared());
  });

  test('a fetch that is refused, made again with the next heartbeat', async () => {
    const main = talking();
    const window = createWindowStore(main.sync);
    await main.refuse();
    main.deliver(main.heartbeat());
    await main.answer();
    expect(window.getState()).toEqual(main.shared());
  });

  test.each([['no JSON'], [{ person: 'Eve' }], [null]])(
    'an answer of %j, which is no state, as a refused one',
    async (answer) => {
      const main = talking();
      const window = createWindowStore(main.sync);
      await main.answer(answer);
      expect(window.getState().sequence).toBe(0);
      main.deliver(main.heartbeat());
      await main.answer();
      expect(window.getState()).toEqual(main.shared());
    },
  );
});

describe('following', () => {
  test('the next number, applied at once without a fetch', async () => {
    const { main, window } = await following();
    main.deliver(say(main, 'Bob'));
    expect([personIn(window), main.fetches.length]).toEqual(['Bob', 0]);
  });

  test('an action that comes twice, applied once', async () => {
    const { main, window } = await following();
    main.receive(item('more'));
    main.clock.advance(100);
    const action = main.forwarded().at(-1);
    main.deliver(action, action);
    expect(window.getState()).toEqual(main.shared());
    expect(main.fetches).toEqual([]);
  });

  test('an old action that comes late, dropped', async () => {
    const { main, window } = await following();
    const bob = say(main, 'Bob');
    main.deliver(bob, say(main, 'Cy'), bob);
    expect([personIn(window), main.fetches.length]).toEqual(['Cy', 0]);
  });

  test('a number left out, the state fetched again', async () => {
    const { main, window } = await following();
    main.receive(message('lost'));
    main.clock.advance(100);
    main.deliver(say(main, 'Bob'));
    expect(personIn(window)).toBe('Ada');
    await main.answer();
    expect(window.getState()).toEqual(main.shared());
  });

  test('many actions after a gap, one fetch', async () => {
    const { main, window } = await following();
    say(main, 'lost');
    main.deliver(say(main, 'b'), say(main, 'c'), say(main, 'd'));
    expect(main.fetches).toHaveLength(1);
    await main.answer();
    expect([personIn(window), main.fetches.length]).toEqual(['d', 0]);
  });

  test('the last action lost, noticed with the heartbeat', async () => {
    const { main, window } = await following();
    say(main, 'lost');
    main.deliver(main.heartbeat());
    await main.answer();
    expect(window.getState()).toEqual(main.shared());
  });

  test('a heartbeat with the window’s own number, no fetch', async () => {
    const { main } = await following();
    main.deliver(main.heartbeat());
    expect(main.fetches).toEqual([]);
  });

  test('main started again with lower numbers, followed from the heartbeat on', async () => {
    const { main, window } = await following();
    main.deliver(say(main, 'b'), say(main, 'c'), say(main, 'd'));
    const again = talking();
    again.dispatch(connectionConfirmed());
    expect(again.shared().sequence).toBeLessThan(window.getState().sequence);
    main.deliver(again.heartbeat());
    await main.answer(again.shared());
    main.deliver(say(again, 'Cy'));
    expect(window.getState()).toEqual(again.shared());
  });

  test.each([
    [undefined],
    ['text'],
    [{ payload: 1 }],
    [{ type: 'session/ended' }],
    [{ type: 'x', meta: { seq: 'y' } }],
  ])('%j, which is no action with a number, not looked at', async (action) => {
    const { main, window } = await following();
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
  const steps = fc.array(fc.record({ act, fate }), { minLength: 1, maxLength: 60 });

  /** Main does one thing. */
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

  test('any actions lost, doubled and reordered, any fetches refused, in the end main’s state', async () => {
    let refetched = 0;
    await holdsAsync(
      fc.asyncProperty(steps, async (list) => {
        const main = talking();
        const window = createWindowStore(main.sync);
        await deliverUnreliably(main, list, perform);
        for (; main.fetches.length > 0; refetched++) await main.answer();
        expect(window.getState()).toEqual(main.shared());
      }),
      300,
    );
    expect(refetched).toBeGreaterThan(100);
  });
});
