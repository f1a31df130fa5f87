import { sharedPart } from '#shared/store/rootReducer.ts';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { anyDelivery, deliverUnreliably } from '#tests/builders/deliverUnreliably.ts';
import { checkAsyncProperty } from '#tests/builders/checkProperty.ts';
import { toolsBridge } from '#tests/builders/toolsBridge.ts';
import { syncBridge } from '#tests/builders/syncBridge.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { createWindowStore } from './createWindowStore.ts';

/** A length with which a conversation of a few messages arrives in several parts. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  NEWEST_PART_LENGTH: 300,
  PART_LENGTH: 200,
}));

/** Silences the warnings about refused requests. */
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

type Main = ReturnType<typeof syncBridge>;
type Window = ReturnType<typeof createWindowStore>;

/** Delivers a snapshot and its tick. */
function snapshot(main: Main, count: number, prefix = 'm'): void {
  main.receive({
    person: 'Ada',
    messages: Array.from({ length: count }, (_, index) => message(`${prefix}${index}`)),
  });
  main.clock.advance(100);
}

/** Creates main with 40 messages, and a window that has fetched the state. */
async function opened() {
  const main = syncBridge();
  main.launch();
  snapshot(main, 40);
  const window = createWindowStore(main.sync, toolsBridge().tools);
  await main.answer();
  return { main, window };
}

/** Returns the indices that have arrived, as `from-to`. */
function arrived(window: Window): string {
  const { messages } = window.getState().conversation;
  const isThere = (index: number) => itemAt(messages, index) !== MISSING_MESSAGE;
  const first = Array.from({ length: messages.length }, (_, index) => index).find(isThere) ?? messages.length;
  for (let index = first; index < messages.length; index++) expect(isThere(index)).toBe(true);
  return `${first}-${messages.length}`;
}

async function answerAllParts(main: Main): Promise<number> {
  let count = 0;
  for (; main.partFetches.length > 0; count++) await main.answerPart();
  return count;
}

/** Delivers the actions that main has forwarded since. */
function delivery(main: Main): () => void {
  let delivered = main.forwarded().length;
  return () => {
    const all = main.forwarded();
    main.deliver(...all.slice(delivered));
    delivered = all.length;
  };
}

describe('a long conversation', () => {
  test('has its newest messages and its full length immediately', async () => {
    const { window } = await opened();
    const [first = 0, length] = arrived(window).split('-').map(Number);
    expect(length).toBe(40);
    expect(first).toBeGreaterThan(20);
    expect(first).toBeLessThan(40);
  });

  test('is fetched part by part, the newest first, each after the previous one has been applied', async () => {
    const { main, window } = await opened();
    let last = arrived(window);
    while (main.partFetches.length > 0) {
      expect(main.partFetches).toHaveLength(1);
      expect(`${main.partFetches[0]?.before}-40`).toBe(last);
      await main.answerPart();
      expect(arrived(window)).not.toBe(last);
      last = arrived(window);
    }
    expect(last).toBe('0-40');
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test('applies actions while parts are missing', async () => {
    const { main, window } = await opened();
    const deliver = delivery(main);
    main.receive(message('new'));
    main.receive(item('more'));
    main.clock.advance(200);
    deliver();
    expect(arrived(window)).toMatch(/-41$/);
    await answerAllParts(main);
    expect(sharedPart(window.getState())).toEqual(main.shared());
    expect(main.fetches).toEqual([]);
  });

  test('keeps every message that has arrived as the same reference', async () => {
    const { main, window } = await opened();
    const before = itemAt(window.getState().conversation.messages, 39);
    await answerAllParts(main);
    expect(itemAt(window.getState().conversation.messages, 39)).toBe(before);
  });
});

describe('a conversation that is replaced while parts are missing', () => {
  test('by a snapshot drops the old parts and fetches the new ones', async () => {
    const { main, window } = await opened();
    const deliver = delivery(main);
    await main.answerPart();
    const late = main.partFetches[0];
    snapshot(main, 50, 'n');
    deliver();
    late?.resolve('{"length":40,"from":0,"messages":[]}');
    await main.answerPart();
    await answerAllParts(main);
    expect(sharedPart(window.getState())).toEqual(main.shared());
    expect(main.fetches).toEqual([]);
  });
});

describe('a refused request for a part', () => {
  test('is retried with the next heartbeat', async () => {
    const { main, window } = await opened();
    await main.refusePart();
    expect(main.partFetches).toEqual([]);
    main.deliver(main.heartbeat());
    expect(await answerAllParts(main)).toBeGreaterThan(1);
    expect(sharedPart(window.getState())).toEqual(main.shared());
  });

  test.each(['no JSON', '{}', '[]', '{"length":1,"from":0,"messages":7}'])(
    'is treated like one that is answered with %s',
    async (text) => {
      const { main, window } = await opened();
      main.partFetches[0]?.resolve(text);
      await main.answerPart();
      main.deliver(main.heartbeat());
      await answerAllParts(main);
      expect(sharedPart(window.getState())).toEqual(main.shared());
    },
  );
});

test('ends in main’s state after any snapshots, messages, ends and losses while parts arrive', async () => {
  type Act =
    | 'message'
    | 'snapshot'
    | 'short'
    | 'launch'
    | 'end'
    | 'state'
    | 'part'
    | 'refusePart'
    | 'heartbeat';
  const act = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Act>('part') },
    { weight: 4, arbitrary: fc.constantFrom<Act[]>('message', 'state') },
    { weight: 2, arbitrary: fc.constantFrom<Act[]>('snapshot', 'short', 'refusePart', 'heartbeat') },
    { weight: 1, arbitrary: fc.constantFrom<Act[]>('launch', 'end') },
  );
  const perform = async (main: Main, what: Act) => {
    if (what === 'part') return main.answerPart();
    if (what === 'refusePart') return main.refusePart();
    if (what === 'state') return main.answer();
    if (what === 'heartbeat') return main.deliver(main.heartbeat());
    if (what === 'launch') return main.launch();
    if (what === 'end') return main.dispatch(sessionEnded());
    if (what === 'snapshot') return snapshot(main, 35);
    if (what === 'short') return snapshot(main, 1);
    main.receive(message('x'));
    return main.clock.advance(100);
  };
  let parts = 0;
  await checkAsyncProperty(
    fc.asyncProperty(
      fc.array(fc.record({ act, delivery: anyDelivery }), { maxLength: 60 }),
      async (steps) => {
        const { main, window } = await opened();
        await deliverUnreliably(main, steps, perform);
        while (main.fetches.length > 0) await main.answer();
        parts += await answerAllParts(main);
        main.deliver(main.heartbeat());
        parts += await answerAllParts(main);
        expect(sharedPart(window.getState())).toEqual(main.shared());
      },
    ),
    60,
  );
  expect(parts).toBeGreaterThan(40);
});
