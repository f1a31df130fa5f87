import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { SEED } from '#tests/builders/checkProperty.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { type MarkedMessage, shortenedNotice } from './markedMessage.ts';
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
const file = (name: string, text: string): Turn => ({ role: 'user', parts: [{ kind: 'file', name, text }] });
const ZIP = said(item('file', 'a.zip', 'UEsDBA=='));
const TEXT = said(item('file', 'a.txt', base64('Words')));

test('the turns of a conversation are what the person and the model said after the demonstration, without notices, `usage` and the words of a question that failed, whose files they keep', () => {
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
  const failure = { ...noticed('It failed.'), failed: true };
  const others = [asked('A'), answered('Ha.'), TEXT, asked('lost'), failure, asked('B'), asked('C')];
  const kept = [user('A'), assistant('Ha.'), file('a.txt', 'Words'), user('B'), user('C')];
  expect(readTurns(others)).toEqual(kept);
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
  [[said(item('audio', 'It was heard before.'))], 1],
  [[TEXT, ZIP, asked('C')], 2],
  [[asked('failed'), asked('C')], 1],
  [[asked('failed'), TEXT, TEXT], 2],
  [[TEXT, { ...noticed(''), divider: true }, asked('C')], 1],
])('a question needs its own turn and those of its files that can be read: %#', async (newest, needed) => {
  const messages = [asked('A'), answered('B'), ...newest];
  expect(await readQuestion(Object({ task: { messages, continues: false } }))).toMatchObject({ needed });
});

test.each(['A · stopped', 'A · cut off', 'A is writing…'])('`continue` is about the answer “%s”', (label) => {
  const messages = [asked('A story'), answered('Once', label)];
  const unfinished = findUnfinished([...messages, noticed('It was stopped.')]);
  expect(unfinished).toEqual({ messages, continues: true });
});

test('reads a file by its bytes: a text, a picture, or nothing that a model can get', async () => {
  const path = join(import.meta.dirname, 'testing/files.txt');
  const table = await tableOf(path, (line) => {
    const [name, bytes, encoding] = JSON.parse(line);
    return JSON.stringify(readAttachment(name, Buffer.from(bytes, encoding).toString('base64')));
  });
  await expect(table).toMatchFileSnapshot(path);
});

/** A text of this many tokens, whose beginning and end can be seen. */
const long = (tokens: number) => `<${'x'.repeat(3 * tokens - 2)}>`;

const FITTED: readonly (readonly [turns: readonly Turn[], budget: number, needed: number])[] = [
  [[user(long(50)), assistant(long(20)), user('b'), assistant('c'), user('d')], 80, 1],
  [[user('Hello'), user(long(500))], 100, 1],
  // An answer to continue keeps its end.
  [[user(long(20)), assistant(long(500)), user('Continue.')], 200, 3],
  [[file('a.txt', long(1000)), assistant('Read.'), user('What is in it?')], 500, 1],
  // Nothing before a turn that does not fit.
  [[user('a'), assistant(long(500)), user('b'), assistant('c'), user('d'), assistant('e')], 100, 1],
  [
    [user('a'), assistant('b'), user(long(500)), assistant('c'), user('d'), assistant('e'), user('f')],
    100,
    1,
  ],
];

const size = fc.integer({ min: 1, max: 90 }).map(long);
const anyTurn = fc.oneof(
  size.map(user),
  size.map(assistant),
  size.map((text) => file('f', text)),
  size.map((text): Turn => ({ role: 'user', parts: [...user(text).parts, ...file('g', text).parts] })),
);
const anyTurns = fc.array(anyTurn, { minLength: 1, maxLength: 9, size: 'max' });
const anyFit = fc.tuple(anyTurns, fc.integer({ min: 40, max: 400 }), fc.integer({ min: 1, max: 3 }));

test('fits a conversation into the context window: the newest turns, and as much of their files as possible', async () => {
  const random = fc.sample(anyFit, { seed: SEED, numRuns: 40 });
  const drawn = [...FITTED, ...random].map(([turns, budget, needed], index) => {
    const { messages, ...fitted } = fitWindow(turns, { prompt: 'Be brief.', budget, needed });
    expect(needed > 1 || fitted.tokens <= budget).toBe(true);
    const lines = [...turns, ...messages, fitted].map((line) => JSON.stringify(line));
    return `# conversation ${index + 1}: budget ${budget}, ${needed} needed\n${lines.join('\n')}\n`;
  });
  for (const text of ['abc', 'abcd', 'Grüße', 'こんにちは', '👍🏽', '\u{24f}', '\u{250}'])
    drawn.push(`${JSON.stringify(text)}: ${estimateTokens(text)} tokens\n`);
  for (const window of [null, 3, 4096, 16_383, 16_388, 131_072])
    drawn.push(`a window of ${window}: ${contextBudget(window)} tokens\n`);
  const text = drawn.join('').replaceAll(/x{4,}/g, (run) => `x{${run.length}}`);
  await expect(text).toMatchFileSnapshot('testing/fitted.txt');
});

test.each([
  [901, 3000, null],
  [1100, 3000, null],
  [900, 3000, 'The model got the first 900 of 3,000 characters of “a.txt”.'],
  [1101, 3000, 'The model got the first 1,101 of 3,000 characters of “a.txt”.'],
  [1000, 4000, 'The model got the first 1,000 of 4,000 characters of “a.txt”.'],
  [0, 3000, 'The model did not get the text of “a.txt”: the newer messages fill its context window.'],
])('after 1,000 of 3,000 characters of a file, %i of %i are announced as %j', (sent, of, text) => {
  const known = [9, 1000].map((before) => ({ shortened: { name: 'a.txt', sent: before, of: 3000 } }));
  const added = shortenedNotice(() => 'm', known, { name: 'a.txt', sent, of });
  expect(added?.content?.[0]?.text ?? null).toBe(text);
});
