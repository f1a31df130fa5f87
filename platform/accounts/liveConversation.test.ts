import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import type { Commit } from './conversationSockets.ts';
import { createLiveConversation } from './liveConversation.ts';
import { foldingSocket } from './testing/answeringConversation.ts';
import { createDemonstrations, EFFECT_MS, NOTIFY_MS, REPLY_MS, WORD_MS } from '../assistant/demonstration.ts';
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
  const [before, after] = [foldingSocket(), foldingSocket()];
  live.addSocket(before.socket);
  live.receive(saying('hello'));
  live.addSocket(after.socket);
  const seen = () => [before, after].map(({ conversation }) => conversation().messages.length).join();
  expect(seen()).toBe('0,0');
  expect(commits.map((committed) => (committed(), seen()))).toEqual(['0,0', '1,0', '1,1']);
});

function scene() {
  const { clock, live } = testConversation();
  const ada = foldingSocket();
  live.addSocket(ada.socket);
  const say = (words: string) => live.receive(saying(words));
  const newest = () => ada.conversation().messages.at(-1);
  return { clock, live, ada, say, newest };
}

/** Returns the updates after the person's message, and what they have added to the conversation. */
function answerTo(words: string) {
  const { clock, ada, say, newest } = scene();
  say(words);
  clock.advance(REPLY_MS - 1);
  expect(ada.updates).toHaveLength(2);
  clock.advance(1);
  return { updates: ada.updates.slice(2), newest: newest() };
}

test('repeats a text that is not a command, and sends at most 500 messages', () => {
  for (const text of ['rename', 'many 0', 'HTML please']) {
    const content = [{ category: 'text', text: `You said: ${text}` }];
    const newest = { modifier: 'ai', context: 'Parley', content };
    expect(answerTo(text)).toMatchObject({ updates: [{}], newest });
  }
  expect(answerTo('many 501').updates).toHaveLength(500);
});

test.each([
  ['recording', { category: 'audio', text: null, blob: 'AA==' }, 'recording of 1 byte'],
  ['small file', { category: 'file', text: 'a.txt', blob: 'AAAA'.repeat(333) }, 'file “a.txt” of 999 bytes'],
  ['large image', { category: 'image', text: 'a', blob: 'AAAA'.repeat(4115) }, 'image “a” of 12.3 kB'],
] as const)('says the size of a %s', (_, message, words) => {
  const { clock, live, newest } = scene();
  live.receive(message);
  clock.advance(REPLY_MS);
  expect(newest()?.content?.[0]?.text).toMatch(new RegExp(`^I have received (a|the) ${words}\\.$`));
});

const NOTES = Buffer.from('Notes\n').toString('base64').slice(0, 6);

test.each([
  [' HTML ', [{ category: 'html', html: expect.stringMatching(/<h2>[^]*<ul>[^]*<table>/) }]],
  [
    'image',
    [
      {
        category: 'image',
        text: 'evening.png',
        blob: expect.stringMatching(/^iVBORw0KGgoAAAANSUhEUgAAAUAAAADICAYAAA/),
      },
    ],
  ],
  ['file', [{ category: 'file', text: 'notes.txt', blob: expect.stringContaining(NOTES) }]],
  ['voice', [{ category: 'audio', text: 'A door bell.', blob: expect.stringMatching(/^UklGR.{6}XQVZF/) }]],
  ['several', [{ category: 'text' }, { category: 'html' }, { category: 'image' }, { category: 'file' }]],
])('answers `%s` with samples', (word, content) => {
  expect(answerTo(word).newest).toMatchObject({ modifier: 'ai', context: 'Parley', content });
});

test('changes the name of the person on `rename`, also in later messages', () => {
  const { clock, ada, say, newest } = scene();
  say('rename Ada King');
  clock.advance(REPLY_MS);
  expect(ada.updates[2]).toEqual({ kind: 'name', frame: { name: 'Ada King' } });
  say('hi');
  expect([newest()?.context, ada.conversation().person]).toEqual(['Ada King', 'Ada King']);
});

test('answers `admin` with a message of the administrator, and `help` with every command', () => {
  expect(answerTo('admin').newest).toMatchObject({ modifier: 'admin', avatar: '' });
  const help = JSON.stringify(answerTo('help').newest);
  const words = ['html', 'image', 'file', 'voice', 'several', 'stream', 'rename', 'many', 'admin', 'notify'];
  for (const word of [...words, 'drop', 'close', 'signout', 'new topic'])
    expect(help).toContain(`<code>${word}`);
});

const STREAMED = [
  { text: expect.stringMatching(/^This answer .+ do\.$/) },
  { text: expect.stringMatching(/^A second item .+ back\.$/) },
];

test('answers `stream` with a placeholder that grows word by word, then with a second item and the final label', () => {
  const { clock, ada, say, newest } = scene();
  say('stream');
  clock.advance(REPLY_MS);
  expect(newest()).toMatchObject({ context: 'Parley is writing…', content: [{ text: '' }] });
  for (const text of ['This', 'This answer']) {
    clock.advance(WORD_MS);
    expect(newest()?.content).toMatchObject([{ text }]);
  }
  clock.advance(60_000);
  expect(ada.updates.filter(({ kind }) => kind === 'content')).toHaveLength(1);
  expect(newest()).toMatchObject({ context: 'Parley', content: STREAMED });
});

test('sends the rest of an answer at once when a message arrives during it', () => {
  const { clock, ada, say, newest } = scene();
  say('stream');
  clock.advance(REPLY_MS + 3 * WORD_MS);
  say('wait');
  clock.advance(QUEUE_TICK_MS);
  expect(newest()?.content?.[0]?.text).toBe('wait');
  expect(ada.conversation().messages.at(-2)).toMatchObject({ context: 'Parley', content: STREAMED });
  clock.advance(REPLY_MS);
  expect(newest()?.content).toMatchObject([{ text: 'You said: wait' }]);
  expect(clock.nextDue()).toBeUndefined();
});

test('answers `notify` with a message and its notification four seconds later', () => {
  const { clock, ada, say, newest } = scene();
  say('notify');
  clock.advance(REPLY_MS + NOTIFY_MS - 1);
  expect(ada.updates).toHaveLength(3);
  clock.advance(1);
  expect(ada.updates.at(-1)).toEqual({ kind: 'notification', frame: { notify: true } });
  expect(newest()?.content).toMatchObject([{ text: expect.stringContaining('notification') }]);
});

test.each([
  ['drop', 'terminated'],
  ['close', [1012, 'maintenance']],
  ['signout', [4401, 'unauthorized']],
])('answers `%s` and then closes the connection', (word, end) => {
  const { clock, ada, say } = scene();
  say(word);
  clock.advance(REPLY_MS + EFFECT_MS - 1);
  expect([ada.updates.length, ada.ends]).toEqual([3, []]);
  clock.advance(1);
  expect(ada.ends).toEqual([end]);
});
