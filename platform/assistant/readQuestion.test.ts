import { expect, test } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type MarkedMessage, shortenedNotice } from './markedMessage.ts';
import { eveningPicture } from './pictures.ts';
import { findUnfinished, readAttachment, readQuestion, readTurns, type Turn } from './readQuestion.ts';
import { contextBudget, estimateTokens, fitWindow } from './fitWindow.ts';

const item = (category: string, text: string | null, blob: string | null = null) => ({
  category,
  text,
  html: null,
  blob,
});
const said = (...content: ContentItem[]): MarkedMessage => ({ modifier: 'client', content });
const asked = (text: string) => said(item('text', text));
const answered = (text: string, context = 'llama'): MarkedMessage => {
  const content = [{ ...item('text', text), format: 'markdown' }];
  return { modifier: 'ai', model: 'stub', context, content };
};
const noticed = (text: string) => ({ modifier: 'admin', notice: true, content: [item('text', text)] });
const turn = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] });
const user = (text: string) => turn('user', text);
const assistant = (text: string) => turn('assistant', text);
const base64 = (content: string) => Buffer.from(content).toString('base64');
const latin1 = (content: string) => Buffer.from(content, 'latin1').toString('base64');
const file = (name: string, text: string): Turn => ({ role: 'user', parts: [{ kind: 'file', name, text }] });
const ZIP = said(item('file', 'a.zip', 'UEsDBA=='));
const TEXT = said(item('file', 'a.txt', base64('Words')));

test('the turns of a conversation are what the person and the model said after the demonstration, without notices and `usage`', () => {
  const messages = [
    asked('hello'),
    { modifier: 'ai', content: [item('text', 'You said: hello')] },
    noticed('Hello'),
    asked('Who are you?'),
    answered('A model.'),
    asked(' Usage '),
    noticed('A cut.'),
    asked('Thanks'),
  ];
  expect(readTurns(messages)).toEqual([user('Who are you?'), assistant('A model.'), user('Thanks')]);
});

test('the turns leave out the words of a question that failed, and keep its files', () => {
  const failure = { ...noticed('It failed.'), failed: true };
  const messages = [asked('A joke'), answered('Ha.'), TEXT, asked('lost'), failure, asked('Thanks')];
  const kept = [user('A joke'), assistant('Ha.'), file('a.txt', 'Words'), user('Thanks')];
  expect(readTurns(messages)).toEqual(kept);
});

test('the turns have text files, pictures and what was heard, and leave out what cannot be read', () => {
  const picture = base64('GIF89a');
  const messages = [
    TEXT,
    said(item('image', 'a.gif', picture)),
    said(item('audio', 'Spoken words')),
    said(item('audio', null)),
    ZIP,
    { ...noticed('I heard: “Later.”'), heard: 'Later.' },
  ];
  const image = { kind: 'image', name: 'a.gif', url: `data:image/gif;base64,${picture}` };
  const sent = { role: 'user', parts: [image] };
  expect(readTurns(messages)).toEqual([file('a.txt', 'Words'), sent, user('Spoken words'), user('Later.')]);
});

test.each([
  [[asked('C')], 1],
  [[ZIP, asked('C')], 1],
  [[TEXT, ZIP, asked('C')], 2],
])('a question needs its own turn and those of its files that can be read: %#', async (newest, needed) => {
  const messages = [asked('A'), answered('B'), ...newest];
  expect(await readQuestion(Object({ task: { messages, continues: false } }))).toMatchObject({ needed });
});

test.each(['A · stopped', 'A · cut off', 'A is writing…'])('`continue` is about the answer “%s”', (label) => {
  const messages = [asked('A story'), answered('Once', label)];
  const unfinished = findUnfinished([...messages, noticed('It was stopped.')]);
  expect(unfinished).toEqual({ messages, continues: true });
});

test('reads UTF-8 as text, whatever its name is', () => {
  const text = 'Grüße\r\n\tこんにちは';
  for (const name of ['notes.txt', 'drawing.svg', 'data'])
    expect(readAttachment(name, base64(`\u{feff}${text}`))).toEqual({ kind: 'text', text });
});

test.each([
  ['image/png', eveningPicture()],
  ['image/jpeg', latin1('\u{ff}\u{d8}\u{ff}\u{e0}')],
  ['image/gif', latin1('GIF89a')],
  ['image/webp', latin1('RIFF\n\n\n\nWEBPVP8 ')],
])('reads %s as a data URL, whatever its name is', (type, blob) => {
  const url = `data:${type};base64,${blob}`;
  expect(readAttachment('picture.bin', blob)).toEqual({ kind: 'image', url });
});

test.each([
  ['old.txt', latin1('Gr\u{fc}\u{df}e')],
  ['A.PDF', base64('%PDF-1.7')],
  ['core', base64('\u{0}')],
])('refuses %s in words', (name, blob) => {
  expect(readAttachment(name, blob)).toEqual({
    kind: 'refused',
    sentence: `I cannot read “${name}”. Send a text file, or a picture as PNG, JPEG, GIF or WebP.`,
  });
});

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

test.each([
  [901, 3000, null],
  [1100, 3000, null],
  [900, 3000, 'The model got the first 900 of 3,000 characters of “a.txt”.'],
  [1101, 3000, 'The model got the first 1,101 of 3,000 characters of “a.txt”.'],
  [1000, 4000, 'The model got the first 1,000 of 4,000 characters of “a.txt”.'],
  [0, 3000, 'The model did not get the text of “a.txt”: the newer messages fill its context window.'],
])('after 1,000 of 3,000 characters of a file, %i of %i are announced as %j', (sent, of, text) => {
  const known = { modifier: 'admin', shortened: { name: 'a.txt', sent: 1000, of: 3000 } };
  const added = shortenedNotice(() => 'm', [known], { name: 'a.txt', sent, of });
  expect(added?.content?.[0]?.text ?? null).toBe(text);
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
