import { expect, test } from 'vitest';
import { contextBudget, estimateTokens, fitWindow } from './fitWindow.ts';
import type { Turn } from './readQuestion.ts';

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

const file = (name: string, text: string): Turn => ({ role: 'user', parts: [{ kind: 'file', name, text }] });

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
  ['', 0],
  ['abc', 1],
  ['abcd', 2],
  ['Grüße', 2],
  ['こんにちは', 5],
  ['👍🏽', 2],
])('estimates %j as %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});
