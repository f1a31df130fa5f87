import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import type { Commit } from './conversationSockets.ts';
import { createLiveConversation } from './liveConversation.ts';
import { type Step, conversation, file, foldingSocket, saying } from './testing/answeringConversation.ts';
import { tell } from './testing/stories.ts';
import type { AnswerPlace } from '../assistant/assistant.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { MEMORY_LIMIT } from '../storage/conversationLog.ts';

function testConversation(messages: readonly Message[] = [], commit: Commit = (_, committed) => committed()) {
  const clock = virtualClock();
  let ids = 0;
  const newId = () => `m${ids++}`;
  const assistant = createDemonstrations({ clock, newId }).create();
  const live = createLiveConversation({
    conversation: { person: 'Ada Lovelace', messages },
    assistant,
    newId,
    commit,
    clock,
    now: clock.now,
  });
  return { clock, live, assistant };
}

const commands = fc.oneof(
  fc.constantFrom('stream', 'several', 'rename Ada King', 'many 7', 'notify', 'drop', 'admin', 'help'),
  fc.string({ maxLength: 20, unit: codePoint }),
);
const outgoing = fc.oneof(
  { weight: 4, arbitrary: commands.map(saying) },
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

test('keeps only the newest messages when there are twice as many as the limit', () => {
  const twice = 2 * MEMORY_LIMIT.messages;
  const { live } = testConversation(Array.from({ length: twice - 2 }, () => ({ modifier: 'ai' })));
  live.receive(saying('hello'));
  expect(live.stored().messages).toHaveLength(twice - 1);
  live.finishAnswer();
  expect(live.stored().messages).toHaveLength(MEMORY_LIMIT.messages);
});

test('sends nothing before it is committed, neither a message nor the conversation that contains it', () => {
  const commits: (() => void)[] = [];
  const { live } = testConversation([], (_, committed) => commits.push(committed));
  const [before, after, gone] = [foldingSocket(), foldingSocket(), foldingSocket()];
  live.addSocket(before.socket);
  const leave = live.addSocket(gone.socket);
  live.receive(saying('hello'));
  live.addSocket(after.socket);
  leave();
  const seen = () => [before, after].map((socket) => socket.conversation().messages.length).join();
  expect(seen()).toBe('0,0');
  expect(commits.map((committed) => (committed(), seen()))).toEqual(['0,0', '0,0', '1,0', '1,1']);
  expect(gone.updates).toEqual([]);
});

test('an answer that has been ended sends, replaces and does nothing more, whatever its assistant does', () => {
  const { live, assistant } = testConversation();
  const places: AnswerPlace[] = [];
  assistant.answer = (_, place) => void places.push(place);
  const done: string[] = [];
  live.addSocket(foldingSocket((what) => done.push(what)).socket);
  for (const words of ['one', 'two']) live.receive(saying(words));
  for (const { send, replace, affect } of places) {
    send({ text: 'late' });
    replace({ id: 'late', modifier: 'ai' });
    affect('drop');
  }
  expect(done).toEqual(['snapshot', 'message', 'message', 'text', 'snapshot', 'terminate']);
});

/** A conversation with the demonstration. */
function demonstration() {
  const scene = conversation();
  scene.holder.set(null);
  return scene;
}

/** Returns a file of this size. */
const sized = (bytes: number) => file('a.txt', '\0'.repeat(bytes));

/** Returns the steps by their title for each word: it is sent, and time passes. */
const forEach = (what: string, ms: number, ...words: readonly string[]) =>
  Object.fromEntries(words.map((word): [string, Step[]] => [`\`${word}\` ${what}`, [word, ms]]));

test('the demonstration answers each word with what a client can receive, at most 500 messages, and repeats other texts', async () => {
  const stories = await tell(
    Object.entries<readonly Step[]>({
      'texts that are no commands are repeated': ['rename', 400, 'many 0', 400, 'constructor', 400],
      'the answer says how large a recording is': [{ category: 'audio', text: null, blob: 'AA==' }, 400],
      'the answer says how large files are': [sized(999), 400, sized(1000), 400],
      'the answer says how large a large image is': [
        { category: 'image', text: 'a', blob: 'AAAA'.repeat(4115) },
        400,
      ],
      ...forEach('is answered with samples', 400, ' HTML ', 'image', 'file', 'voice'),
      ...forEach('is answered with samples', 400, 'several', 'many 2', 'admin', 'help'),
      '`rename` changes the name of the person, also in later messages': ['rename Ada King', 400, 'hi'],
      '`stream` begins empty and grows word by word, then has a second item and the final label': [
        'stream',
        30_000,
      ],
      'a message during an answer gets the rest of it at once': ['stream', 850, 'wait', 100, 400],
      '`notify` is answered, and a notification follows four seconds later': ['notify', 5000],
      ...forEach('ends the connection after its answer', 3000, 'drop', 'close', 'signout'),
    }).map(([title, steps]) => [title, steps, demonstration]),
  );
  await expect(stories).toMatchFileSnapshot('testing/demonstration.txt');
  const { play, live } = demonstration();
  await play('many 501', 400);
  expect(live.stored().messages).toHaveLength(1 + 500);
});
