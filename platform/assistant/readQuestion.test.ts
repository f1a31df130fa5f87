import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { contextBudget, estimateTokens, firstTokens, fitWindow, lastTokens } from './fitWindow.ts';
import type { MarkedMessage } from './markedMessage.ts';
import { eveningPicture } from './pictures.ts';
import { findQuestion, findUnfinished, readAttachment, readTurns, type Turn } from './readQuestion.ts';
import { divider } from './topics.ts';

const item = (category: string, text: string | null, blob: string | null = null): ContentItem => ({
  category,
  text,
  html: null,
  blob,
});
const said = (...content: ContentItem[]): MarkedMessage => ({ modifier: 'client', content });
const asked = (text: string) => said(item('text', text));
const answered = (text: string, context = 'llama'): MarkedMessage => ({
  modifier: 'ai',
  model: 'stub',
  context,
  content: [{ ...item('text', text), format: 'markdown' }],
});
const noticed = (text: string): MarkedMessage => ({
  modifier: 'admin',
  notice: true,
  content: [item('text', text)],
});
const foreign: MarkedMessage = { modifier: 'ai', content: [item('text', 'You said: hello')] };
const text = (role: string, words: string) => ({ role, parts: [{ kind: 'text', text: words }] });

describe('the turns of a conversation', () => {
  test('reads what the person and the model said, without notices and `usage`', () => {
    const messages = [
      noticed('Hello'),
      asked('Who are you?'),
      answered('A model.'),
      asked(' Usage '),
      { modifier: 'admin', content: [item('text', 'A cut.')], notice: true },
      asked('Thanks'),
    ];
    expect(readTurns(messages)).toEqual([
      text('user', 'Who are you?'),
      text('assistant', 'A model.'),
      text('user', 'Thanks'),
    ]);
  });

  test('begins after the last message of the demonstration', () => {
    expect(readTurns([asked('hello'), foreign, asked('Who are you?')])).toEqual([
      text('user', 'Who are you?'),
    ]);
  });

  test('leaves out the words of a question that failed, and keeps its files', () => {
    const failure = { ...noticed('It failed.'), failed: true };
    const sentFile = said(item('file', 'a.txt', Buffer.from('Words').toString('base64')));
    const messages = [asked('A joke'), answered('Ha.'), sentFile, asked('lost'), failure, asked('Thanks')];
    expect(readTurns(messages)).toEqual([
      text('user', 'A joke'),
      text('assistant', 'Ha.'),
      { role: 'user', parts: [{ kind: 'file', name: 'a.txt', text: 'Words' }] },
      text('user', 'Thanks'),
    ]);
  });

  test('keeps the words of a question that failed when it was asked again', () => {
    const failure = { ...noticed('It failed.'), failed: true };
    const another = { ...answered('Ha.'), another: true };
    const messages = [asked('A joke'), failure, failure, another, asked('Thanks')];
    expect(readTurns(messages)).toEqual([
      text('user', 'A joke'),
      text('assistant', 'Ha.'),
      text('user', 'Thanks'),
    ]);
  });

  test('contract §9 new topic: begins after the newest divider', () => {
    const divided = divider(() => 'id');
    const messages = [
      asked('A joke'),
      divided,
      asked('A story'),
      divided,
      noticed('A notice.'),
      asked('Hello'),
    ];
    expect(readTurns(messages)).toEqual([text('user', 'Hello')]);
    expect(findQuestion(messages.slice(0, -1))).toBeNull();
    expect(findUnfinished(messages.slice(0, -1))).toBeNull();
    expect(findQuestion(messages)?.messages).toEqual(messages.slice(-2));
  });

  test('leaves out the answer that was asked for again', () => {
    const another = { ...answered('New.'), another: true };
    const messages = [asked('A joke'), answered('Oldest.'), answered('Old.'), another, asked('Thanks')];
    expect(readTurns(messages)).toEqual([
      text('user', 'A joke'),
      text('assistant', 'New.'),
      text('user', 'Thanks'),
    ]);
  });

  test('reads text files, pictures and what was heard, and leaves out what cannot be read', () => {
    const picture = Buffer.from('GIF89a').toString('base64');
    const messages = [
      said(item('file', 'a.txt', Buffer.from('Words').toString('base64'))),
      said(item('image', 'a.gif', picture)),
      said(item('audio', 'Spoken words')),
      said(item('audio', null)),
      said(item('file', 'a.zip', 'UEsDBA==')),
      { ...noticed('I heard: “Later.”'), heard: 'Later.' },
    ];
    expect(readTurns(messages)).toEqual([
      { role: 'user', parts: [{ kind: 'file', name: 'a.txt', text: 'Words' }] },
      {
        role: 'user',
        parts: [{ kind: 'image', name: 'a.gif', url: `data:image/gif;base64,${picture}` }],
      },
      text('user', 'Spoken words'),
      text('user', 'Later.'),
    ]);
  });

  test('`again` is about the last question, without its answers and `usage`', () => {
    const [question, answer] = [asked('A joke'), answered('Old.')];
    expect(findQuestion([foreign, question, answer, asked('usage')])).toEqual({
      messages: [foreign, question],
      continues: false,
      isAnother: true,
    });
    expect(findQuestion([foreign, asked('usage')])).toBeNull();
  });

  test.each(['llama · stopped', 'llama · cut off', 'llama is writing…'])(
    '`continue` is about the last answer when its label is “%s”',
    (label) => {
      const messages = [asked('A story'), answered('Once', label)];
      expect(findUnfinished([...messages, noticed('It was stopped.')])).toEqual({
        messages,
        continues: true,
      });
    },
  );

  test('`continue` asks a question again that has no answer, and there is nothing after a complete answer', () => {
    expect(findUnfinished([asked('A story'), noticed('No server.')])).toMatchObject({
      messages: [asked('A story')],
      continues: false,
    });
    expect(findUnfinished([asked('A story'), answered('The end.')])).toBeNull();
    expect(findUnfinished([])).toBeNull();
  });
});

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const latin1 = (content: string) => Buffer.from(content, 'latin1').toString('base64');

describe('a file for the model', () => {
  test.each(['notes.txt', 'main.rs', 'Makefile', 'drawing.svg', 'data'])(
    'reads UTF-8 as text: %s',
    (name) => {
      expect(readAttachment(name, base64('Grüße\r\n\tこんにちは'))).toEqual({
        kind: 'text',
        text: 'Grüße\r\n\tこんにちは',
      });
    },
  );

  test('reads UTF-8 without its byte order mark', () => {
    expect(readAttachment('a.txt', base64('\u{feff}Hello'))).toEqual({ kind: 'text', text: 'Hello' });
  });

  test.each([
    ['image/png', eveningPicture()],
    ['image/jpeg', latin1('\u{ff}\u{d8}\u{ff}\u{e0}')],
    ['image/gif', latin1('GIF89a')],
    ['image/webp', latin1('RIFF\n\n\n\nWEBPVP8 ')],
  ])('reads %s as a data URL, whatever its name is', (type, blob) => {
    expect(readAttachment('picture.bin', blob)).toEqual({
      kind: 'image',
      url: `data:${type};base64,${blob}`,
    });
  });

  test.each([
    ['a.zip', base64('PK\u{3}\u{4}')],
    ['old.txt', latin1('Gr\u{fc}\u{df}e')],
    ['a.pdf', base64('%PDF-1.7')],
    ['A.PDF', base64('%PDF-1.7')],
    ['core', base64('\u{0}')],
  ])('refuses %s in words', (name, blob) => {
    expect(readAttachment(name, blob)).toEqual({
      kind: 'refused',
      sentence: `I cannot read “${name}”. Send a text file, or a picture as PNG, JPEG, GIF or WebP.`,
    });
  });
});

describe('the context window', () => {
  const turn = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] });
  const user = (text: string) => turn('user', text);
  const assistant = (text: string) => turn('assistant', text);
  const system = { role: 'system', content: 'Be brief.' };
  const fit = (turns: readonly Turn[], budget: number, needed = 1) =>
    fitWindow(turns, { prompt: 'Be brief.', budget, needed });
  const tokensOf = (content: unknown) => estimateTokens(typeof content === 'string' ? content : '');
  /** A text of this many tokens. */
  const long = (tokens: number, character = 'a') => character.repeat(3 * tokens);

  test.each([
    [null, 27_904],
    [4096, 3072],
    [131_072, 126_976],
  ])('keeps a quarter of a window of %j tokens for the answer, 4,096 at most', (window, budget) => {
    expect(contextBudget(window)).toBe(budget);
  });

  test('sends the prompt and everything when it fits', () => {
    const turns = [user('Hello'), assistant('Hello, Ada.'), user('Who are you?')];
    expect(fit(turns, 1000)).toMatchObject({
      messages: [
        system,
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hello, Ada.' },
        { role: 'user', content: 'Who are you?' },
      ],
      isCut: false,
      isClipped: false,
    });
  });

  test('sends the newest turns that fit, and begins with the person’s', () => {
    const turns = [user(long(50)), assistant(long(20)), user('b'), assistant('c'), user('d')];
    expect(fit(turns, 80)).toMatchObject({
      messages: [system, { content: 'b' }, { content: 'c' }, { content: 'd' }],
      isCut: true,
      isClipped: false,
    });
  });

  test('clips a question that is longer than the window to its beginning', () => {
    const { messages, isClipped } = fit([user('Hello'), user(`Begin ${long(500)}`)], 100);
    expect(isClipped).toBe(true);
    expect(messages).toHaveLength(2);
    expect(messages[1]?.content).toMatch(/^Begin a+$/);
    expect(tokensOf(messages[1]?.content)).toBeGreaterThan(70);
  });

  test('keeps the end of a long answer that is continued, and the beginning of its question', () => {
    const turns = [user(`Question ${long(100)}`), assistant(`${long(500)} end`), user('Continue.')];
    const { messages } = fit(turns, 200, 3);
    expect(messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      expect.stringMatching(/^Question a+$/),
      expect.stringMatching(/^a{200,} end$/),
      'Continue.',
    ]);
  });

  const file = (name: string, text: string): Turn => ({
    role: 'user',
    parts: [{ kind: 'file', name, text }],
  });

  test('shortens a file that does not fit, to what is left after the question and the turns before it', () => {
    const turns = [file('a.txt', long(1000)), assistant('Read.'), user('What is in it?')];
    const { messages, shortened, isCut, isClipped, tokens } = fit(turns, 500);
    expect(messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      expect.stringMatching(/^File “a\.txt”:\n\na+$/),
      'Read.',
      'What is in it?',
    ]);
    const content = messages[1]?.content ?? '';
    const sent = content.length - 'File “a.txt”:\n\n'.length;
    expect(shortened).toEqual([{ name: 'a.txt', sent, of: 3000 }]);
    expect({ isCut, isClipped }).toEqual({ isCut: false, isClipped: false });
    // All but the room for the other turns is used.
    expect(tokens).toBeGreaterThan(480);
  });

  test('keeps the newest file after many turns, and leaves it half of the window at least', () => {
    const talk = Array.from({ length: 20 }, (_, at) => [
      user(`q${at} ${long(50)}`),
      assistant(long(50)),
    ]).flat();
    const { messages, shortened, isCut } = fit([file('a.txt', long(5000)), ...talk, user('Why?')], 1000);
    expect(messages[1]?.content).toMatch(/^File “a\.txt”/);
    expect(messages.at(-1)?.content).toBe('Why?');
    expect(isCut).toBe(true);
    expect(shortened[0]?.sent).toBeGreaterThan(1200);
  });

  test('gives the newest of several files the most, and names each file that is not complete', () => {
    const turns = [file('old.txt', long(600)), file('new.txt', long(600)), user('Compare them.')];
    expect(fit(turns, 1000).shortened).toEqual([{ name: 'old.txt', sent: expect.any(Number), of: 1800 }]);
    expect(fit(turns, 500).shortened).toEqual([
      { name: 'old.txt', sent: 0, of: 1800 },
      { name: 'new.txt', sent: expect.any(Number), of: 1800 },
    ]);
  });

  test('joins neighbours of one role, because some models accept only roles that alternate', () => {
    expect(fit([user('One.'), user('Two.')], 100).messages).toEqual([
      system,
      { role: 'user', content: 'One.\n\nTwo.' },
    ]);
  });

  test('sends a picture as a part of its message', () => {
    const picture = { kind: 'image', name: 'a.png', url: 'data:image/png;base64,AAAA' } as const;
    expect(fit([user('Look:'), { role: 'user', parts: [picture] }], 3000).messages[1]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image_url', image_url: { url: picture.url } },
      ],
    });
  });

  test('never uses more than the budget, keeps the newest turn and lets roles alternate', () => {
    const turns = fc.array(
      fc.record({
        role: fc.constantFrom('user' as const, 'assistant' as const, 'file' as const),
        size: fc.nat({ max: 300 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(turns, fc.integer({ min: 100, max: 2000 }), (sizes, budget) => {
        const turnsSaid = sizes.map(({ role, size }) =>
          role === 'file' ? file('x.txt', long(size, 'x')) : turn(role, long(size, 'x')),
        );
        const said = [...turnsSaid, user('the newest')];
        const { messages, tokens } = fit(said, budget);
        const used = messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
        expect(used).toBeLessThanOrEqual(budget);
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(messages.at(-1)?.content).toMatch(/the newest$/);
        const roles = messages.slice(1).map(({ role }) => role);
        expect(roles.every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))).toBe(true);
      }),
      { seed: 17, numRuns: 100 },
    );
  });

  test.each([
    ['', 0],
    ['abc', 1],
    ['abcd', 2],
    ['Grüße', 2],
    ['こんにちは', 5],
    ['👍🏽', 2],
  ])('estimates %j as %i tokens', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test('shortens a text to its beginning or its end, within the limit and between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.nat({ max: 40 }), (text, limit) => {
        const [first, last] = [firstTokens(text, limit), lastTokens(text, limit)];
        expect(text.startsWith(first)).toBe(true);
        expect(text.endsWith(last)).toBe(true);
        for (const part of [first, last]) {
          expect(estimateTokens(part)).toBeLessThanOrEqual(limit);
          expect(part.isWellFormed()).toBe(true);
        }
        const isWhole = estimateTokens(text) <= limit;
        expect([first === text, last === text]).toEqual([isWhole, isWhole]);
      }),
      { seed: 17, numRuns: 100 },
    );
  });
});
