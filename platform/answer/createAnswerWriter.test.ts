import { expect, test } from 'vitest';
import { createAnswerWriter } from './createAnswerWriter.ts';
import { FRAME_INTERVAL_MS } from './createPace.ts';
import { addText, itemsOf, testWriter, writeAnswer } from './testing/writeAnswer.ts';

const CODE = '```ts\nconst x = 1;\n```';

test('sends the message at once on the first text, and nothing before it', () => {
  const { clock, writer, frames, message } = testWriter();
  addText(writer, '\n ');
  clock.advance(1000);
  expect([frames, writer.hasBegun]).toEqual([[], false]);
  addText(writer, 'Hello');
  expect(frames).toHaveLength(1);
  expect(writer.hasBegun).toBe(true);
  expect(message()).toEqual({
    id: 'm0',
    modifier: 'ai',
    content: [{ category: 'text', text: 'Hello', html: null, blob: null }],
    context: 'Parley is writing…',
    avatar: '',
    seen: true,
  });
});

test('sends the newest text when 125 ms have passed since the last update', () => {
  const { clock, writer, frames } = testWriter();
  for (const word of ['One', ' two', ' three', ' four']) {
    addText(writer, word);
    clock.advance(50);
  }
  clock.advance(1000);
  expect(frames.slice(1)).toEqual([
    { at: FRAME_INTERVAL_MS, frame: { text: 'One two three' } },
    { at: 2 * FRAME_INTERVAL_MS, frame: { text: 'One two three four' } },
  ]);
});

test('shows a growing block below the prose before it, then restores the prose and appends one HTML item', () => {
  const { clock, writer, frames, message } = testWriter();
  addText(writer, 'Look:\n\n```ts\nconst x');
  expect(frames).toHaveLength(1);
  expect(message()?.content).toMatchObject([{ text: 'Look:\n\n```ts\nconst x' }]);
  addText(writer, ' = 1;\n```\n');
  clock.advance(1000);
  expect(frames.slice(1).map(({ at, frame }) => [at, frame['text']])).toEqual([
    [125, 'Look:'],
    [250, CODE],
  ]);
  expect(message()?.content?.[1]).toEqual({
    category: 'html',
    text: CODE,
    html: '<pre><code class="language-ts">const x = 1;\n</code></pre>',
    blob: null,
  });
});

test('says in the label what it writes while a block has no prose before it', () => {
  const { clock, writer, frames } = testWriter();
  addText(writer, '```ts\nlet a;\nlet b;\n');
  expect(frames[0]?.frame).toMatchObject({ content: [], context: 'Parley is writing code, 2 lines…' });
  addText(writer, 'let c;\n');
  clock.advance(999);
  expect(frames).toHaveLength(1);
  addText(writer, 'let d;\n');
  clock.advance(1);
  addText(writer, 'let e;\n');
  clock.advance(125);
  expect(frames.at(-1)?.frame).toEqual({ context: 'Parley is writing code, 5 lines…' });
  addText(writer, '```\n| a |\n| - |\n');
  clock.advance(250);
  expect(frames.at(-1)?.frame).toEqual({ context: 'Parley is writing a table…' });
  writer.end({ label: 'Parley' });
  expect(frames.at(-1)?.frame).toEqual({ context: 'Parley' });
});

test('says that it thinks during reasoning, which becomes one closed item', () => {
  const { clock, writer, frames, message } = testWriter();
  writer.add({ kind: 'reasoning', text: 'Think **hard**.\n\n- a' });
  expect(frames[0]?.frame).toMatchObject({ content: [], context: 'Parley is thinking…' });
  addText(writer, 'Answer');
  clock.advance(1000);
  expect(frames.slice(1).map(({ frame }) => Object.keys(frame)[0])).toEqual([
    'category',
    'category',
    'context',
  ]);
  expect(message()?.context).toBe('Parley is writing…');
  expect(message()?.content).toMatchObject([
    {
      text: null,
      html: '<details><summary>Reasoning</summary><p>Think hard.</p><ul>\n<li>a</li>\n</ul></details>',
    },
    { text: 'Answer' },
  ]);
  expect(writer.source).toBe('Answer');
});

test('ends at once: completes an open block, adds the note and sets the final label', () => {
  const { writer, frames, message } = testWriter();
  addText(writer, 'Look:\n\n```ts\nconst x = 1;');
  writer.end({ label: 'Parley · cut off', note: 'The connection was cut. Write “continue”.' });
  const count = frames.length;
  expect(message()).toMatchObject({
    context: 'Parley · cut off',
    content: [
      { category: 'text', text: 'Look:' },
      { category: 'html', html: expect.stringContaining('const x = 1;') },
      { category: 'text', text: 'The connection was cut. Write “continue”.', note: true },
    ],
  });
  addText(writer, 'more');
  writer.end({ label: 'other' });
  expect(frames).toHaveLength(count);
});

test('finishes at the pace and then says that it has ended', () => {
  const { clock, writer, frames, message } = testWriter();
  let endedAt: number | undefined;
  addText(writer, 'Look');
  addText(writer, `:\n\n${CODE}\n\nDone.`);
  writer.finish({ label: 'Parley' }, () => (endedAt = clock.now()));
  clock.advance(10_000);
  expect(frames.map(({ at }) => at)).toEqual([0, 125, 250, 375, 500]);
  expect(message()?.context).toBe('Parley');
  expect(endedAt).toBe(625);
});

test('sends the rest at once when it is ended while it finishes', () => {
  const { clock, writer, frames, message } = testWriter();
  let ends = 0;
  addText(writer, 'Look');
  addText(writer, `:\n\n${CODE}\n\nDone.`);
  writer.finish({ label: 'Parley' }, () => (ends += 1));
  writer.end({ label: 'Parley · stopped' });
  expect([frames.length, message()?.context, ends]).toEqual([5, 'Parley', 1]);
  expect(clock.nextDue()).toBeUndefined();
});

test('sends an answer that arrives at once with the message, up to 4,000 characters', () => {
  const { writer, frames, message } = testWriter();
  addText(writer, '- a\n\nb\n\n'.repeat(1000));
  expect(frames).toHaveLength(1);
  expect(message()?.content).toHaveLength(2 * 1000);
  const long = testWriter();
  addText(long.writer, '- a\n\nb\n\n'.repeat(1001));
  expect(long.message()?.content).toHaveLength(2 * 1000);
});

test('sends blocks as they are written when the rest of an answer takes longer than 500 ms', () => {
  let now = 0;
  const clock = { now: () => (now += 50), after: () => () => undefined };
  const frames: Record<string, unknown>[] = [];
  const send = (frame: object) => void frames.push({ ...frame });
  const writer = createAnswerWriter({
    clock,
    newId: () => 'm',
    send,
    replace: send,
    label: 'Parley is writing…',
  });
  addText(writer, 'a');
  addText(writer, '\n\n- **b**\n\nc'.repeat(10));
  writer.end({ label: 'Parley' });
  const html = frames.flatMap((frame) => (typeof frame['html'] === 'string' ? [frame['html']] : []));
  expect(html).toHaveLength(10);
  expect(html[0]).toBe('<ul>\n<li><strong>b</strong></li>\n</ul>');
  expect(html.at(-1)).toBe('<pre><code>- **b**\n</code></pre>');
  expect(frames.at(-1)).toEqual({ context: 'Parley' });
});

test('sends nothing after it was dropped', () => {
  const { clock, writer, frames } = testWriter();
  addText(writer, 'One');
  addText(writer, ' two');
  writer.drop();
  addText(writer, ' three');
  writer.end({ label: 'Parley' });
  clock.advance(1000);
  expect(frames).toHaveLength(1);
  expect(clock.nextDue()).toBeUndefined();
});

test('sends no message for an answer without text, and one for a note alone', () => {
  const empty = testWriter();
  addText(empty.writer, '\n');
  empty.writer.end({ label: 'Parley' });
  expect(empty.frames).toEqual([]);
  const failed = testWriter();
  failed.writer.end({ label: 'Parley', note: 'The endpoint refused the connection.' });
  expect(failed.message()).toMatchObject({
    context: 'Parley',
    content: [{ category: 'text', text: 'The endpoint refused the connection.' }],
  });
});

test('never sends half a character', () => {
  const { clock, writer, frames, message } = testWriter();
  addText(writer, 'a\uD83D');
  clock.advance(200);
  expect(message()?.content).toMatchObject([{ text: 'a' }]);
  addText(writer, '\uDE00\uD83D');
  writer.end({ label: 'Parley' });
  expect(message()?.content).toMatchObject([{ text: 'a😀\uFFFD' }]);
  expect(frames.every(({ frame }) => JSON.stringify(frame).isWellFormed())).toBe(true);
});

test('keeps the writing of a whole answer: reasoning, prose, code, a table, a list and a quote', () => {
  const answer = writeAnswer([
    { kind: 'reasoning', text: 'The person wants an example.' },
    'Here is **how** to do it ([docs](https://example.org/a)):\r\n\r\n## Steps\r\n\r\n',
    '1. First `a`:\n\n   ```ts\n   const x = 1;\n   ```\n2. Second\n   - [x] done\n   - [ ] open\n\n',
    'Then:\n```python\ndef f():\n    return "<b>"\n```\n| a | b |\n|---|:-:|\n| 1 | **2** | 3 |\n| x<br>y | z |\n\n',
    '> quoted\n> text\n\nTitle\n=====\nThe end.',
  ]);
  expect(itemsOf(answer)).toMatchSnapshot();
});
