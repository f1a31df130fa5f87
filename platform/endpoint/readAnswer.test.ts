import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAsyncProperty, checkAll } from '#tests/builders/checkProperty.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { createThinkSplitter } from './createThinkSplitter.ts';
import { type AnswerPart, EndpointError } from './endpoint.ts';
import { readAnswer } from './readAnswer.ts';
import { readBody } from './requestJson.ts';

const FAILURES = {
  broken: (what: string) => new EndpointError('broken', what),
  cut: () => new EndpointError('cut', 'cut'),
  reported: (error: unknown) => new EndpointError('failed', JSON.stringify(error)),
};

/** Resolves with the parts of a stream, and the kind of its error as the last one. */
async function read(chunks: readonly Uint8Array[]): Promise<(AnswerPart | string)[]> {
  const parts: (AnswerPart | string)[] = [];
  try {
    for await (const part of readAnswer(streamOf(chunks), FAILURES)) parts.push(part);
  } catch (error) {
    parts.push(error instanceof EndpointError ? `${error.kind}: ${error.message}` : String(error));
  }
  return parts;
}

async function* streamOf(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

const frame = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }], ...more })}`;

const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}';

const anyEvent = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((content) => frame({ content })),
  fc
    .constantFrom('<th', 'ink>', '<think>', 'a < b', '</thi', 'nk>', '</think>', '\n')
    .map((content) => frame({ content })),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((reasoning) => frame({ reasoning, content: null })),
  fc.constantFrom(
    ': comment',
    'event: ping\ndata: {}',
    'retry: 5',
    'id: 7',
    'unknown: field',
    USAGE,
    frame({}, 'stop'),
    frame({}, 'length', { unknown: { deep: [1] } }),
    'data: [DONE]',
    'data: {"choices":null}',
    'data: {"error":{"message":"no"}}',
    'data: not JSON',
  ),
);

const anyStream = fc
  .tuple(fc.array(anyEvent, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([events, newline]) => Buffer.from([...events, ''].join('\n\n').replaceAll('\n', newline)));

const splitAt = (bytes: Buffer, places: readonly number[]): Uint8Array[] => {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((start, i) => bytes.subarray(start, cuts[i] ?? bytes.length));
};

test('returns the same parts for any split of the bytes', async () => {
  await checkAsyncProperty(
    fc.asyncProperty(anyStream, fc.array(fc.nat(4000), { maxLength: 40 }), async (bytes, cuts) => {
      const parts = await read([bytes]);
      expect(await read(splitAt(bytes, cuts))).toEqual(parts);
      expect(await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(parts);
    }),
    100,
  );
});

/** Yields the bytes one by one, and notes each in `taken`. */
async function* bytesOf(words: string, taken: number[] = []) {
  for (const byte of Buffer.from(words)) {
    taken.push(byte);
    yield Uint8Array.of(byte);
  }
}

test('reads a body whose characters are in several parts, up to a limit, and a stream up to its end', async () => {
  expect(await readBody(bytesOf('Größe 😀'), 100)).toBe('Größe 😀');
  const taken: number[] = [];
  expect(await readBody(bytesOf('Größe 😀', taken), 4)).toBe('Grö');
  for await (const { kind } of readAnswer(bytesOf('data: [DONE]\n\nmore', taken), FAILURES))
    expect(kind).toBe('end');
  expect(taken).toHaveLength(4 + 'data: [DONE]\n\n'.length);
});

test('reads the parts of a stream: text and reasoning in each format, the usage once before the end, and why it ended', async () => {
  const path = join(import.meta.dirname, 'testing/streams.txt');
  const table = await tableOf(path, async (line) => {
    const parts = await read([Buffer.from(line.replaceAll('⏎', '\n'))]);
    return parts.map((part) => JSON.stringify(part)).join('\n');
  });
  await expect(table).toMatchFileSnapshot(path);
});

function split(chunks: readonly string[], isReasoned = false): { reasoning: string; text: string } {
  const splitter = createThinkSplitter();
  if (isReasoned) splitter.expectNoReasoning();
  let reasoning = '';
  let text = '';
  for (const part of [...chunks.flatMap((chunk) => splitter.take(chunk)), ...splitter.end()]) {
    if (part.kind === 'reasoning') reasoning += part.text;
    else if (part.kind === 'text') text += part.text;
    else if (part.kind === 'reasoningEnded') {
      reasoning += text;
      text = '';
    }
  }
  return { reasoning, text };
}

test('separates the reasoning at the tags that are no words of the answer', async () => {
  const path = join(import.meta.dirname, 'testing/reasoning.txt');
  const table = await tableOf(path, (line) => {
    const text: string = JSON.parse(line);
    expect(split(Array.from(text))).toEqual(split([text]));
    return JSON.stringify(split([text]));
  });
  await expect(table).toMatchFileSnapshot(path);
});

const PIECES = ['<think>', '</think>', '\n', 'word', ' ', '    ', '`', '```', '~~~', '“', '.', '使'];
const anyWords = fc.array(fc.constantFrom(...PIECES), { maxLength: 16 });

test('separates the reasoning in the same way, however the text is cut', () => {
  checkAll(1000, [anyWords, fc.boolean(), fc.integer({ min: 1, max: 9 })], (words, isReasoned, size) => {
    const text = words.join('');
    const whole = split([text], isReasoned);
    expect(split(text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [], isReasoned)).toEqual(whole);
  });
});

test('removes a lone tag before the first word of an answer whose reasoning came separately, and no other; sends reasoning before it is closed, except what may be the closing tag', () => {
  expect(split(['\n</think>\n\nHello'], true)).toMatchObject({ text: 'Hello' });
  expect(split(['A\n</think>\nB'], true)).toEqual({ reasoning: '', text: 'A\n</think>\nB' });
  const splitter = createThinkSplitter();
  expect(splitter.take('<think>one <')).toEqual([{ kind: 'reasoning', text: 'one ' }]);
  expect(splitter.take('b')).toEqual([{ kind: 'reasoning', text: '<b' }]);
});
