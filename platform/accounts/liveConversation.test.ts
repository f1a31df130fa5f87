import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { type Clock, virtualClock } from '#shared/clock.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { collectGarbage } from '#tests/builders/collectGarbage.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { MEMORY_LIMIT } from '../storage/conversationLog.ts';
import { createLiveConversation } from './liveConversation.ts';
import { foldingSocket } from './testing/answeringConversation.ts';

const demonstration = (clock: Clock = virtualClock(), newId = () => 'm') =>
  createDemonstrations({ clock, newId }).create();

function testConversation() {
  const clock = virtualClock();
  let ids = 0;
  const newId = () => `m${ids++}`;
  const conversation = { person: 'Ada Lovelace', messages: [] };
  const live = createLiveConversation({
    conversation,
    assistant: demonstration(clock, newId),
    newId,
    commit: (_, committed) => committed(),
    clock,
    now: clock.now,
  });
  return { clock, live };
}

const text = (words: string): Outgoing => ({ category: 'text', text: words, blob: null });

const words = fc.oneof(
  fc.constantFrom('stream', 'several', 'rename Ada King', 'many 7', 'notify', 'drop', 'admin', 'help'),
  fc.string({ maxLength: 20, unit: codePoint }),
);
const outgoing = fc.oneof(
  { weight: 4, arbitrary: words.map(text) },
  fc.base64String().map((blob): Outgoing => ({ category: 'audio', text: null, blob })),
  fc.record({ category: fc.constant('file' as const), text: fc.string(), blob: fc.base64String() }),
);
const act = fc.oneof(
  outgoing.map((message) => ({ receive: message })),
  fc.nat({ max: 3000 }).map((ms) => ({ advance: ms })),
  fc.constant('addSocket' as const),
);

test('sends every socket the stored conversation, in any sequence of messages, waits and new sockets', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const { clock, live } = testConversation();
      const sockets: ReturnType<typeof foldingSocket>[] = [];
      const enter = () => {
        const socket = foldingSocket();
        live.addSocket(socket.socket);
        sockets.push(socket);
      };
      enter();
      for (const what of acts) {
        if (what === 'addSocket') enter();
        else if ('receive' in what) live.receive(what.receive);
        else clock.advance(what.advance);
        for (const socket of sockets) expect(socket.conversation()).toEqual(live.stored());
      }
    }),
    { seed: 1843, numRuns: 100 },
  );
});

test('contract §9 time: gives each message the time at which it is sent', () => {
  const { clock, live } = testConversation();
  clock.advance(1_793_000_000_123);
  live.receive(text('hello'));
  clock.advance(400);
  expect(live.stored().messages).toMatchObject([
    { modifier: 'client', time: '2026-10-26T07:33:20.123Z' },
    { modifier: 'ai', time: '2026-10-26T07:33:20.523Z' },
  ]);
});

test('sends the complete answer at once when it is finished, and leaves no timer', () => {
  const { clock, live } = testConversation();
  live.receive(text('stream'));
  live.finishAnswer();
  expect(live.stored().messages.at(-1)).toMatchObject({ context: 'Parley', content: [{}, {}] });
  expect(clock.nextDue()).toBeUndefined();
});

test('keeps only the newest messages when there are twice as many as the limit', () => {
  const { live } = testConversation();
  for (let said = 0; said < (2 * MEMORY_LIMIT.messages) / 500; said++) {
    live.receive(text('many 499'));
    live.finishAnswer();
  }
  expect(live.stored().messages).toHaveLength(MEMORY_LIMIT.messages);
  expect(live.stored().messages.at(-1)?.content?.[0]?.text).toBe('Message 499 of 499.');
  live.receive(text('many 3'));
  live.finishAnswer();
  expect(live.stored().messages).toHaveLength(MEMORY_LIMIT.messages + 4);
});

test('keeps only the newest pictures when there are twice as many characters as the limit', () => {
  const { live } = testConversation();
  const blob = 'A'.repeat(1_300_000);
  for (let sent = 0; sent < 100; sent++) live.receive({ category: 'image', text: `${sent}.png`, blob });
  expect(JSON.stringify(live.stored()).length).toBeLessThan(2 * MEMORY_LIMIT.characters + blob.length);
  expect(live.stored().messages.at(-1)?.content?.[0]?.text).toBe('99.png');
});

test('sends nothing before it is committed, neither a message nor the conversation that contains it', () => {
  const commits: (() => void)[] = [];
  const live = createLiveConversation({
    conversation: { person: 'Ada Lovelace', messages: [] },
    assistant: demonstration(),
    newId: () => 'm1',
    commit: (_, committed) => commits.push(committed),
    clock: virtualClock(),
    now: () => 0,
  });
  const [before, after] = [foldingSocket(), foldingSocket()];
  live.addSocket(before.socket);
  live.receive(text('hello'));
  live.addSocket(after.socket);
  const seen = () => [before, after].map(({ conversation }) => conversation().messages.length);
  expect(seen()).toEqual([0, 0]);
  const lengths = commits.map((committed) => (committed(), seen()));
  expect(lengths).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
});

test('sends sockets that wait for the disk the earlier conversation, without a copy of its text for each', () => {
  const waiting: (() => void)[] = [];
  const avatar = 'x'.repeat(1_000_000);
  const live = createLiveConversation({
    conversation: { person: 'Ada Lovelace', messages: [{ id: '1', modifier: 'ai', content: [], avatar }] },
    assistant: demonstration(),
    newId: () => 'm',
    commit: (_, committed) => waiting.push(committed),
    clock: virtualClock(),
    now: () => 0,
  });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const sockets = Array.from({ length: 40 }, foldingSocket);
  for (const { socket } of sockets) live.addSocket(socket);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  live.receive(text('hello'));
  for (const committed of waiting) committed();
  for (const { conversation } of sockets)
    expect(conversation().messages.map(({ id }) => id)).toEqual(['1', 'm']);
});
