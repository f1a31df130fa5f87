import * as fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import type { Commit } from './conversationSockets.ts';
import { createLiveConversation } from './liveConversation.ts';
import { foldingSocket } from './testing/answeringConversation.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { MEMORY_LIMIT } from '../storage/conversationLog.ts';

const saying = (words: string): Outgoing => ({ category: 'text', text: words, blob: null });

function testConversation(messages: readonly Message[] = [], commit: Commit = (_, committed) => committed()) {
  const clock = virtualClock();
  let ids = 0;
  const newId = () => `m${ids++}`;
  const live = createLiveConversation({
    conversation: { person: 'Ada Lovelace', messages },
    assistant: createDemonstrations({ clock, newId }).create(),
    newId,
    commit,
    clock,
    now: clock.now,
  });
  return { clock, live };
}

describe('a live conversation', () => {
  const words = fc.oneof(
    fc.constantFrom('stream', 'several', 'rename Ada King', 'many 7', 'notify', 'drop', 'admin', 'help'),
    fc.string({ maxLength: 20, unit: codePoint }),
  );
  const outgoing = fc.oneof(
    { weight: 4, arbitrary: words.map(saying) },
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
      { seed: 1843, numRuns: 20 },
    );
  });

  test('contract §9 time: gives each message the time at which it is sent', () => {
    const { clock, live } = testConversation();
    clock.advance(1_793_000_000_123);
    live.receive(saying('hello'));
    clock.advance(400);
    expect(live.stored().messages).toMatchObject([
      { modifier: 'client', time: '2026-10-26T07:33:20.123Z' },
      { modifier: 'ai', time: '2026-10-26T07:33:20.523Z' },
    ]);
  });

  test('keeps only the newest messages when there are twice as many as the limit', () => {
    const { live } = testConversation(
      Array.from({ length: 2 * MEMORY_LIMIT.messages - 2 }, (_, at) => ({ id: `old${at}`, modifier: 'ai' })),
    );
    const length = () => live.stored().messages.length;
    live.receive(saying('hello'));
    expect(length()).toBe(2 * MEMORY_LIMIT.messages - 1);
    live.finishAnswer();
    expect(length()).toBe(MEMORY_LIMIT.messages);
  });

  test('sends nothing before it is committed, neither a message nor the conversation that contains it', () => {
    const commits: (() => void)[] = [];
    const { live } = testConversation([], (_, committed) => commits.push(committed));
    const [before, after] = [foldingSocket(), foldingSocket()];
    live.addSocket(before.socket);
    live.receive(saying('hello'));
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
});
