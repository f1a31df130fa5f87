import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import type { Message } from '#shared/protocol/update.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { deliverAnswer, interruptAnswer, sampleTokens } from '#tests/builders/deliverAnswer.ts';
import { END } from '../accounts/testing/answeringConversation.ts';
import { tell } from '../accounts/testing/stories.ts';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { foldedFrames } from '../testing/observers.ts';
import { AnswerWriter } from './answerWriter.ts';
import { FRAME_INTERVAL_MS } from './createPace.ts';
import { cutItem } from './cutItem.ts';

function testWriter() {
  const clock = virtualClock();
  /** Each frame and when it was sent, in milliseconds. */
  const frames: { readonly at: number; readonly frame: Readonly<Record<string, unknown>> }[] = [];
  const { take, conversation } = foldedFrames();
  const send = (frame: object) => {
    take(JSON.stringify(frame));
    frames.push({ at: clock.now(), frame: { ...frame } });
  };
  const writer = new AnswerWriter({ clock, newId: () => 'm0', send, replace: send, name: 'llama' });
  const message = (): Message => conversation().messages.at(-1) ?? {};
  return { clock, writer, frames, message };
}

const addText = (writer: AnswerWriter, text: string): void => writer.add({ kind: 'text', text });
const reason = (writer: AnswerWriter, text: string): void => writer.add({ kind: 'reasoning', text });

const itemsOf = ({ content = [] }: Message): readonly (readonly [unknown, unknown])[] =>
  content.map((item) => ['format' in item ? item.format : null, item.text]);

const reasons = (text: string): AnswerPart => ({ kind: 'reasoning', text });

test('contract §9 beginning, pace, label, format, stop: an answer begins empty, sends the newest text each 125 ms, and ends at once when it is stopped', async () => {
  const stories = await tell([
    ['words that arrive faster', ['hello', ['One'], 50, [' two'], 50, [' three'], 50, [' four'], 1000]],
    [
      'a model that thinks for long says so once a second, also while reasoning arrives, and then that it writes',
      ['hello', 2999, 501, [reasons('Hm.')], 1500, ['Hello'], 3000],
    ],
    [
      'reasoning is an item of its own before the text',
      ['hello', [reasons('Think **hard**.')], 125, [reasons('\n\n- a')], 125, ['\n\nAnswer'], 1000],
    ],
    [
      '`stop` shows by two frames at once what has arrived, and nothing after it',
      ['hello', ['a\n\n'.repeat(600)], 250, ['b'.repeat(5000)], 'stop', ['more', END], 1000],
    ],
    [
      'an answer that interrupts another one begins 250 ms later',
      ['hello', ['One'], 125, 'Shorter', 249, 1, ['Two'], ({ live }) => live.close(), [' three'], 5000],
    ],
  ]);
  await expect(stories).toMatchFileSnapshot('testing/writing.txt');
});

test('shows the name of the model as soon as it is known', () => {
  const { clock, writer, frames } = testWriter();
  clock.advance(500);
  writer.name = 'qwen';
  expect(frames.at(-1)).toEqual({ at: 500, frame: { context: 'qwen is thinking…' } });
});

const piece = fc.oneof(
  fc.constantFrom('\n', '\n\n', '```\n', '~~~\n', '- ', '😀', '\uD83D', '\r\n', 'word ', '# ', '`'),
  fc.nat(60).map((length) => 'long word '.repeat(length)),
);
const source = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

test('contract §9 one source: gives the source again when the items are joined, however it was cut and at any speed', () => {
  checkAll(60, [source, fc.nat(400), fc.integer({ min: 10, max: 3000 })], (whole, everyMs, size) => {
    const { clock, writer, frames, message } = testWriter();
    for (let at = 0; at < whole.length; at += size) {
      addText(writer, whole.slice(at, at + size));
      clock.advance(everyMs);
    }
    const before = frames.length;
    writer.end('llama');
    const items = itemsOf(message()).map(([, words]) => words);
    expect(items.join('')).toBe(whole.trim() === '' ? '' : whole.toWellFormed());
    expect(frames.length - before).toBeLessThanOrEqual(3);
    for (const { frame } of frames.filter((sent) => !('category' in sent.frame)))
      expect(frame['text'] ?? '').toSatisfy((words: string) => words.length <= 4000);
    const times = frames.slice(0, before).map(({ at }) => at);
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(FRAME_INTERVAL_MS);
  });
});

test('contract §9 cut: ends an item of an answer at the end of a block after reasoning whose code is not closed, and none at an empty line of code, also after the first', () => {
  const { clock, writer, message } = testWriter();
  const block = `${'word '.repeat(398)}end.\n\n`;
  const code = 'let a;\n'.repeat(200);
  for (const [add, part] of [
    [reason, `\`\`\`\n${code}`],
    [reason, `${code}let b`],
    [addText, block.slice(0, -1)],
    [addText, '\nnext\nmore\n'],
  ] as const) {
    add(writer, part);
    clock.advance(1000);
  }
  expect(itemsOf(message()).at(-2)).toEqual(['markdown', block]);
  const coded = testWriter();
  for (const part of ['```\n', ...Array.from({ length: 20 }, () => `${'let a;\n'.repeat(100)}\n`)]) {
    addText(coded.writer, part);
    coded.clock.advance(1000);
  }
  expect(itemsOf(coded.message()).map(([, text]) => String(text).length)).toEqual([3999, 3996, 3996, 2033]);
});

test('contract §9 cut: ends an item at the last end of a block, else of a line, up to 4,000 characters, else between two characters; not in code', async () => {
  // Each line has the number of characters that were sent, the fence that is open, and the text, in which `‹a›2` is `aa`.
  const path = join(import.meta.dirname, 'testing/cuts.txt');
  const table = await tableOf(path, (line) => {
    const [, sent, open = '', words = ''] = /^(\d+) (\S*) (.*)$/.exec(line) ?? [];
    const text = words
      .replaceAll('⏎', '\n')
      .replaceAll(/‹([^›]*)›(\d+)/g, (_, part: string, count) => part.repeat(Number(count)));
    const { at, fence } = cutItem(text, { sent: Number(sent), fence: open });
    return `${at} ${fence} ${JSON.stringify([text.slice(at - 9, at), text.slice(at, at + 9)])}`;
  });
  await expect(table).toMatchFileSnapshot(path);
});

test.each([
  [100, 40, 0, 1],
  [5000, 99, 0, 1],
  [20, 33, 0, 1],
  [200, 50, 25, 2],
  [200, 50, 100, 2],
])(
  'spec §4.4 item 4, contract §9 pace: at %i tokens a second, %i ms after a tick and %i ms late, the client’s queue has %i at most',
  (...[tokensPerSecond, phaseMs, jitterMs, most]) => {
    const tokens = sampleTokens(500);
    const { deepest, shortest } = deliverAnswer({ tokens, tokensPerSecond, phaseMs, jitterMs });
    expect(deepest).toBeLessThanOrEqual(most);
    // Times are added.
    expect(shortest).toBeGreaterThanOrEqual(FRAME_INTERVAL_MS - 1e-6);
  },
);

test.each([
  [0, 300],
  [99, 320],
])('contract §9 stop: shows a question soon, %i ms after a tick, after %i tokens', async (phaseMs, count) => {
  const tokens = sampleTokens(count);
  const shown = await interruptAnswer({ tokens, tokensPerSecond: 200, phaseMs });
  expect(shown.stopped).toMatchObject({ context: 'stub · stopped', content: [{ text: tokens.join('') }] });
  expect(shown.before).toBeLessThanOrEqual(3);
  // The rest of the answer and its label, before or after the update that waited already; then the question.
  expect(shown.deepest).toBeLessThanOrEqual(3);
  expect(shown.questionMs).toBeLessThanOrEqual(400);
  expect(shown.answerMs - shown.questionMs).toBeLessThanOrEqual(100);
});
