import * as fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { type Clock, virtualClock } from '#shared/clock.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { collectGarbage } from '#tests/builders/collectGarbage.ts';
import { createLiveConversation } from './liveConversation.ts';
import {
  foldingSocket,
  SETTINGS,
  answeringConversation,
  manualEndpoint,
  settled,
} from './testing/answeringConversation.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { type AnswerPart, EndpointError } from '../endpoint/endpoint.ts';
import { MEMORY_LIMIT } from '../storage/conversationLog.ts';

const demonstration = (clock: Clock = virtualClock(), newId = () => 'm') =>
  createDemonstrations({ clock, newId }).create();

const saying = (words: string): Outgoing => ({ category: 'text', text: words, blob: null });

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
    const { live } = testConversation();
    for (let said = 0; said < (2 * MEMORY_LIMIT.messages) / 500; said++) {
      live.receive(saying('many 499'));
      live.finishAnswer();
    }
    expect(live.stored().messages).toHaveLength(MEMORY_LIMIT.messages);
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
    const sockets = Array.from({ length: 10 }, foldingSocket);
    for (const { socket } of sockets) live.addSocket(socket);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    live.receive(saying('hello'));
    for (const committed of waiting) committed();
    for (const { conversation } of sockets)
      expect(conversation().messages.map(({ id }) => id)).toEqual(['1', 'm']);
  });
});

describe('answers of a model', () => {
  const TOKENS = [
    'Hello ',
    'world. ',
    '\n\n',
    '```ts\n',
    'const a = 1;\n',
    '```\n',
    '| a | b |\n',
    '|---|---|\n',
    '- item\n',
  ];
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...TOKENS).map((text): AnswerPart => ({ kind: 'text', text })) },
    fc.constant<AnswerPart>({ kind: 'reasoning', text: 'Hm. ' }),
    fc.constant<AnswerPart>({ kind: 'usage', usage: { promptTokens: 3, answerTokens: 5 } }),
    fc.constantFrom('stop', 'length').map((reason): AnswerPart => ({ kind: 'end', reason })),
  );
  const CONTROLS = ['stop', 'again', 'continue', 'edit', 'new topic'];
  const WORDS = [...CONTROLS, 'usage', 'Hello?', 'A question'];
  const act = fc.oneof(
    { weight: 8, arbitrary: part.map((send) => ({ send })) },
    { weight: 3, arbitrary: fc.constantFrom(...WORDS).map((say) => ({ say })) },
    { weight: 3, arbitrary: fc.nat({ max: 400 }).map((advance) => ({ advance })) },
    { weight: 1, arbitrary: fc.constant('fail' as const) },
    { weight: 1, arbitrary: fc.constant('join' as const) },
    { weight: 1, arbitrary: fc.constant('voice' as const) },
    { weight: 2, arbitrary: fc.constant('file' as const) },
    { weight: 1, arbitrary: fc.constant('settings' as const) },
  );

  const FAILURE = new EndpointError('cut', 'The connection was cut. Send “continue” to go on.');

  const FILE: Outgoing = { category: 'file', text: 'a.txt', blob: 'QQ==' };

  type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
  type Tested = ReturnType<typeof answeringConversation>;

  function run(
    what: Act,
    { live, clock, holder }: Tested,
    endpoint: ReturnType<typeof manualEndpoint>,
  ): void {
    const chat = endpoint.chats.at(-1);
    if (what === 'fail') chat?.fail(FAILURE);
    else if (what === 'voice') live.receive({ category: 'audio', text: null, blob: 'AAAA' });
    else if (what === 'file') live.receive(FILE);
    else if (what === 'settings') holder.set(holder.get() === null ? SETTINGS : null);
    else if (what === 'join') return;
    else if ('send' in what) chat?.send(what.send);
    else if ('say' in what) live.receive({ category: 'text', text: what.say, blob: null });
    else clock.advance(what.advance);
  }

  const TAIL = { category: 'text', html: null, blob: null } as const;

  test('no token overwrites the person’s words, and all sockets show what is stored, in any interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
        const endpoint = manualEndpoint();
        const tested = answeringConversation(endpoint);
        const { live, ada, clock } = tested;
        const sockets = [ada];
        const said: object[] = [];
        const check = () => {
          const { messages } = live.stored();
          for (const socket of sockets) expect(socket.conversation()).toEqual(live.stored());
          const own = messages.filter(({ modifier }) => modifier === 'client');
          // A word of control is a message or not, as the state of the answer says.
          const questions = own.filter(({ content }) => !CONTROLS.includes(content?.[0]?.text ?? ''));
          // The newest one may wait for a tick of the clients.
          const shown = said.slice(0, Math.max(questions.length, said.length - 1));
          expect(questions).toMatchObject(
            shown.map((item) => ({ context: 'Ada Lovelace', content: [item] })),
          );
          expect(own.every(({ content }) => content?.length === 1)).toBe(true);
          expect(messages.slice(0, -1).filter(({ context }) => context?.endsWith('…'))).toEqual([]);
        };
        for (const what of acts) {
          if (typeof what === 'object' && 'say' in what && !CONTROLS.includes(what.say))
            said.push({ ...TAIL, text: what.say });
          if (what === 'voice') said.push({ category: 'audio', blob: 'AAAA' });
          if (what === 'file') said.push(FILE);
          if (what === 'join') {
            const socket = foldingSocket();
            live.addSocket(socket.socket);
            sockets.push(socket);
          }
          run(what, tested, endpoint);
          check();
          await settled();
          check();
        }
        live.finishAnswer();
        await settled();
        check();
        const own = live.stored().messages.filter(({ modifier }) => modifier === 'client');
        expect(own.length).toBeGreaterThanOrEqual(said.length);
        expect(live.stored().messages.at(-1)?.context ?? '').not.toMatch(/…$/);
        expect(clock.nextDue()).toBeUndefined();
      }),
      { seed: 17, numRuns: 30 },
    );
  });
});
