import { expect, test } from 'vitest';
import { addText, testWriter } from './testing/writeAnswer.ts';

test('replaces the message when its text was reasoning, once, and continues it', () => {
  const { clock, writer, frames, message } = testWriter();
  addText(writer, 'First:\n\n- a\n- b\n\nThen **c**.\n');
  clock.advance(1000);
  expect(message()?.content).toHaveLength(3);
  const count = frames.length;
  writer.add({ kind: 'reasoningEnded' });
  addText(writer, 'Hel');
  clock.advance(125);
  addText(writer, 'lo');
  clock.advance(1000);
  const keys = frames.slice(count).map(({ frame }) => Object.keys(frame)[0]);
  expect(keys).toEqual(['id', 'category', 'text']);
  expect(message()).toMatchObject({
    id: 'm0',
    context: 'Parley is writing…',
    content: [{ category: 'html', text: null }, { text: 'Hello' }],
  });
  const html = '<p>First:</p><ul>\n<li>a</li>\n<li>b</li>\n</ul><p>Then c.</p>';
  expect(message()?.content?.[0]?.html).toBe(`<details><summary>Reasoning</summary>${html}</details>`);
  expect(writer.source).toBe('Hello');
});

test('replaces nothing when the reasoning ends before the message was sent, or was empty', () => {
  const { writer, frames, message } = testWriter();
  writer.add({ kind: 'reasoningEnded' });
  addText(writer, 'A');
  writer.end({ label: 'Parley' });
  expect(frames.map(({ frame }) => Object.keys(frame)[0])).toEqual(['id', 'context']);
  expect(message()?.content).toMatchObject([{ text: 'A' }]);
});

test('holds the text of a model back that writes its reasoning first, and says that it thinks', () => {
  const { clock, writer, frames, message } = testWriter(true);
  addText(writer, 'Hm.');
  clock.advance(1000);
  expect(message()).toMatchObject({ content: [], context: 'Parley is thinking…' });
  writer.add({ kind: 'reasoningEnded' });
  addText(writer, 'Hello');
  clock.advance(1000);
  expect(frames.map(({ frame }) => Object.keys(frame)[0])).toEqual(['id', 'category', 'category', 'context']);
  expect(message()).toMatchObject({
    context: 'Parley is writing…',
    content: [{ html: '<details><summary>Reasoning</summary><p>Hm.</p></details>' }, { text: 'Hello' }],
  });
});

test('shows the text of a complete answer without reasoning that was held back', () => {
  const { writer, message } = testWriter(true);
  addText(writer, 'Hello');
  writer.add({ kind: 'end', reason: 'stop' });
  writer.end({ label: 'Parley' });
  expect(message()?.content).toMatchObject([{ category: 'text', text: 'Hello' }]);
  expect(writer.source).toBe('Hello');
});

test('takes the text of an answer that was cut while it was held back as reasoning', () => {
  const { writer, message } = testWriter(true);
  addText(writer, 'Hm.');
  writer.add({ kind: 'end', reason: 'length' });
  writer.end({ label: 'Parley' });
  expect(message()?.content).toMatchObject([{ category: 'html', text: null }]);
  expect(writer.source).toBe('');
});

test('holds no text back after reasoning that came separately', () => {
  const { clock, writer, message } = testWriter(true);
  writer.add({ kind: 'reasoning', text: 'Hm.' });
  addText(writer, 'Hello');
  clock.advance(1000);
  expect(message()?.content).toMatchObject([{ category: 'html' }, { text: 'Hello' }]);
});
