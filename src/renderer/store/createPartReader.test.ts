import { setImmediate } from 'node:timers/promises';
import { sharedPart } from '#shared/store/rootReducer.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { syncBridge, toolsBridge } from '#tests/builders/syncBridge.ts';
import { message } from '#tests/builders/updateOf.ts';
import { createWindowStore } from './createWindowStore.ts';

/** A length with which a conversation of a few messages arrives in several parts. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  NEWEST_PART_LENGTH: 300,
  PART_LENGTH: 200,
}));

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

type Main = ReturnType<typeof syncBridge>;

function snapshot(main: Main, count: number, prefix = 'm'): void {
  const messages = Array.from({ length: count }, (_, index) => message(`${prefix}${index}`));
  main.receive({ person: 'Ada', messages });
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
function arrived(window: ReturnType<typeof createWindowStore>): string {
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

test('a long conversation is fetched part by part, the newest first, each after the previous one has been applied', async () => {
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

test('a snapshot drops the old parts, of which some are missing, and fetches the new ones', async () => {
  const { main, window } = await opened();
  const delivered = main.forwarded().length;
  await main.answerPart();
  const late = main.partFetches[0];
  snapshot(main, 50, 'n');
  main.deliver(...main.forwarded().slice(delivered));
  late?.resolve('{"length":40,"from":0,"messages":[]}');
  await main.answerPart();
  await answerAllParts(main);
  expect(sharedPart(window.getState())).toEqual(main.shared());
  expect(main.fetches).toEqual([]);
});

test('a request for a part that is refused, or answered with another value, is retried with the next heartbeat', async () => {
  const { main, window } = await opened();
  for (const text of [null, 'no JSON', '{"length":1,"from":0,"messages":7}']) {
    if (text === null) await main.refusePart();
    else main.partFetches.shift()?.resolve(text);
    await setImmediate();
    expect(main.partFetches).toEqual([]);
    main.deliver(main.heartbeat());
  }
  expect(await answerAllParts(main)).toBeGreaterThan(1);
  expect(sharedPart(window.getState())).toEqual(main.shared());
});
