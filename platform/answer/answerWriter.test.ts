import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate, type Message } from '#shared/protocol/update.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { deliverAnswer, interruptAnswer, sampleTokens } from '#tests/builders/deliverAnswer.ts';
import { AnswerWriter } from './answerWriter.ts';
import { FRAME_INTERVAL_MS } from './createPace.ts';
import { cutItem } from './cutItem.ts';

function testWriter({ delayMs = 0 } = {}) {
  const clock = virtualClock();
  /** Each frame and when it was sent, in milliseconds. */
  const frames: { readonly at: number; readonly frame: Readonly<Record<string, unknown>> }[] = [];
  let conversation = emptyConversation;
  const send = (frame: object) => {
    const update = decodeUpdate(JSON.stringify(frame));
    if (update.kind === 'rejected') throw new Error(`The frame was rejected: ${update.reason}`);
    conversation = applyUpdate(conversation, update);
    frames.push({ at: clock.now(), frame: { ...frame } });
  };
  const writer = new AnswerWriter({ clock, newId: () => 'm0', send, replace: send, name: 'llama', delayMs });
  const message = (): Message => toSnapshot(conversation).messages.at(-1) ?? {};
  /** Returns the frames after the message, each as its first field and its text or label. */
  const sent = () =>
    frames.slice(1).map(({ at, frame }) => [at, Object.keys(frame)[0], frame['text'] ?? frame['context']]);
  return { clock, writer, frames, sent, message };
}

const addText = (writer: AnswerWriter, text: string): void => writer.add({ kind: 'text', text });
const reason = (writer: AnswerWriter, text: string): void => writer.add({ kind: 'reasoning', text });

const itemsOf = ({ content = [] }: Message): readonly (readonly [unknown, unknown])[] =>
  content.map((item) => ['format' in item ? item.format : null, item.text]);

test('contract §9 beginning: sends the message at once, with an empty item', () => {
  const { frames, message, writer } = testWriter();
  expect(frames).toHaveLength(1);
  expect([writer.isSent, writer.hasContent]).toEqual([true, false]);
  expect(message()).toEqual({
    id: 'm0',
    modifier: 'ai',
    content: [{ category: 'text', text: '', html: null, blob: null, format: 'markdown' }],
    context: 'llama is thinking…',
    avatar: '',
    seen: true,
  });
});

test('contract §9 pace: sends the newest text when 125 ms have passed since the last update', () => {
  const { clock, writer, sent } = testWriter();
  for (const word of ['One', ' two', ' three', ' four']) {
    addText(writer, word);
    clock.advance(50);
  }
  clock.advance(1000);
  expect(sent()).toEqual([
    [FRAME_INTERVAL_MS, 'text', 'One two three'],
    [2 * FRAME_INTERVAL_MS, 'context', 'llama is writing…'],
    [3 * FRAME_INTERVAL_MS, 'text', 'One two three four'],
  ]);
});

test('contract §9 label: says from 3 s on how long the model has been thinking, once a second, also while reasoning arrives, and then that it writes', () => {
  const { clock, writer, sent } = testWriter();
  clock.advance(2999);
  expect(sent()).toEqual([]);
  clock.advance(501);
  reason(writer, 'Hm.');
  clock.advance(1500);
  addText(writer, 'Hello');
  clock.advance(3000);
  expect(sent()).toEqual([
    [3000, 'context', 'llama is thinking, 3 s…'],
    [3500, 'category', 'Hm.'],
    [4000, 'context', 'llama is thinking, 4 s…'],
    [5000, 'context', 'llama is thinking, 5 s…'],
    [5125, 'category', 'Hello'],
    [5250, 'context', 'llama is writing…'],
  ]);
});

test('contract §9 format: streams reasoning as an item of its own before the text', () => {
  const { clock, writer, sent, message } = testWriter();
  reason(writer, 'Think **hard**.');
  clock.advance(125);
  reason(writer, '\n\n- a');
  clock.advance(125);
  addText(writer, '\n\nAnswer');
  clock.advance(1000);
  expect(sent()).toEqual([
    [125, 'category', 'Think **hard**.'],
    [250, 'text', 'Think **hard**.\n\n- a'],
    [375, 'context', 'llama is writing…'],
    [500, 'category', '\n\nAnswer'],
  ]);
  expect(itemsOf(message())).toEqual([
    ['markdown', ''],
    ['reasoning', 'Think **hard**.\n\n- a'],
    ['markdown', '\n\nAnswer'],
  ]);
});

test('contract §9 stop: shows by two frames at once what has arrived, then the final label, and nothing after it', () => {
  const { clock, writer, frames, sent, message } = testWriter();
  addText(writer, 'a\n\n'.repeat(600));
  clock.advance(250);
  const count = frames.length;
  addText(writer, 'b'.repeat(5000));
  writer.end('llama · stopped');
  addText(writer, 'more');
  clock.advance(1000);
  expect(frames.slice(count).map(({ frame }) => Object.keys(frame)[0])).toEqual(['category', 'context']);
  expect(sent().at(-1)).toEqual([250, 'context', 'llama · stopped']);
  expect(itemsOf(message()).map(([, words]) => words)).toEqual(['a\n\n'.repeat(600), 'b'.repeat(5000)]);
  expect(clock.nextDue()).toBeUndefined();
});

test('sends nothing after it was dropped, and nothing at all during its delay', () => {
  const { clock, writer, frames } = testWriter({ delayMs: 250 });
  clock.advance(249);
  expect([frames.length, writer.isSent]).toEqual([0, false]);
  clock.advance(1);
  expect(frames).toHaveLength(1);
  addText(writer, 'One');
  writer.drop();
  addText(writer, ' two');
  clock.advance(5000);
  expect([frames.length, clock.nextDue()]).toEqual([1, undefined]);
});

const piece = fc.oneof(
  fc.constantFrom('\n', '\n\n', '```\n', '~~~\n', '- ', '😀', '\uD83D', '\r\n', 'word ', '# ', '`'),
  fc.nat(60).map((length) => 'long word '.repeat(length)),
);
const source = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

test('contract §9 one source: gives the source again when the items are joined, however it was cut and at any speed', () => {
  checkProperty(
    fc.property(source, fc.nat(400), fc.integer({ min: 10, max: 3000 }), (whole, everyMs, size) => {
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
    }),
    60,
  );
});

test('contract §9 cut: ends an item of an answer at the end of a block after reasoning whose code is not closed', () => {
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
});

test('contract §9 cut: ends no item at an empty line of code, also in the items after the first', () => {
  const { clock, writer, message } = testWriter();
  for (const part of ['```\n', ...Array.from({ length: 20 }, () => `${'let a;\n'.repeat(100)}\n`)]) {
    addText(writer, part);
    clock.advance(1000);
  }
  expect(itemsOf(message()).map(([, text]) => String(text).length)).toEqual([3999, 3996, 3996, 2033]);
});

const cut = (text: string, sent: number) => cutItem(text, { sent, fence: '' });

test('contract §9 cut: ends an item at the last end of a block, up to 4,000 characters; without line ends between two characters', () => {
  const words = 'word '.repeat(398);
  const blocks = `${words}one.\n\ntwo.\n\n`;
  const long = `${blocks}three\n${'word '.repeat(600)}\n\n`;
  expect(cut(long, 1990)).toEqual({ at: blocks.length, fence: '' });
  expect(cut(`${words}end.\n \nnext`, 1990)).toEqual({ at: words.length + 7, fence: '' });
  const code = `\`\`\`a\`\`\` is code.\n${words}end.\n\n`;
  expect(cut(`${code}next\n`, 1990)).toEqual({ at: code.length, fence: '' });
  expect(cut('x'.repeat(2010), 1990).at).toBe(1990);
  expect(cut('x'.repeat(9000), 0).at).toBe(4000);
  expect(cut(`x${'😀'.repeat(3000)}`, 0).at).toBe(3999);
});

test.each([
  { what: 'tildes', open: '~~~\n', close: '~~~\n', fence: '~~~' },
  { what: 'more backticks within it', open: '````md\n```\n', close: '````\n', fence: '````' },
  { what: 'a line that begins other code', open: '```\n```js\n', close: '```\n', fence: '```' },
  { what: 'an indented fence', open: '  - a\n    ```\n', close: '    ```\n', fence: '```' },
])('contract §9 cut: ends code at a line end, not at an empty line: $what', ({ open, close, fence }) => {
  const code = `${open}${'let a;\n\n'.repeat(250)}`;
  expect(cut(`${code}let b;\nlet c`, code.length - 20)).toEqual({ at: code.length + 7, fence });
  const closed = `let a;\n\n${close}\nnext`;
  expect(cutItem(closed, { sent: 2, fence })).toEqual({ at: closed.length - 4, fence: '' });
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
