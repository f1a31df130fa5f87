import { expect, test } from 'vitest';
import type { EndpointErrorKind } from './endpoint.ts';
import { QUESTION, chatError, endpointForTest, partsOf } from './testing/endpointForTest.ts';
import type { StubReply } from './testing/stubReply.ts';

const signal = new AbortController().signal;

const cut = (words: string) => `The connection to S ended before the answer did. ${words}`;
const broken = (
  what: string,
  advice = 'Check the address in Settings › Assistant: it usually ends with /v1.',
) => `The server at S sent ${what}. ${advice}`;

const AGAIN = 'Send “again” to repeat the question.';
const CONTINUE = 'Send “continue” for the rest.';
const failed = (words: string) => `S failed (500): “${words}”. ${CONTINUE}`;
/** A stream that fails by these bytes in its middle. */
const half = (raw: string): StubReply => ({ steps: ['Half', { raw }], end: 'close' });

const STREAMS: readonly (readonly [string, EndpointErrorKind, StubReply, string])[] = [
  ['a reset', 'cut', { steps: ['Half'], end: 'cut' }, cut(CONTINUE)],
  ['an end before the text', 'cut', { steps: [], end: 'close' }, cut(AGAIN)],
  ['half a frame', 'cut', { steps: [{ raw: 'data: {"choices":[{"del' }], end: 'close' }, cut(AGAIN)],
  [
    'a frame that is not JSON',
    'broken',
    half('data: {"choices":[}\n\n'),
    broken('a frame that is not in the public format', CONTINUE),
  ],
  [
    'a line over 1 MB',
    'broken',
    { steps: [{ raw: `data: ${'x'.repeat(600_000)}` }, { raw: 'x'.repeat(600_000) }] },
    broken('a line of more than 1 MB'),
  ],
  [
    'an answer over 500,000 characters',
    'broken',
    { steps: [1, 2, 3].map(() => 'x'.repeat(200_000)) },
    broken('an answer of more than 500,000 characters', CONTINUE),
  ],
  [
    'a page',
    'broken',
    { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html><title>Chat</title>' },
    broken('a page instead of an answer'),
  ],
  [
    'an error in the middle',
    'failed',
    half('data: {"error":{"message":"CUDA out of memory","code":500}}\n\n'),
    failed('CUDA out of memory'),
  ],
  [
    'an error as an object of that name',
    'failed',
    half('data: {"object":"error","message":"engine died","code":500}\n\n'),
    failed('engine died'),
  ],
  [
    'an event that is called an error',
    'failed',
    half('event: error\ndata: {"message":"overloaded"}\n\n'),
    failed('overloaded'),
  ],
  [
    'an error without an event around it',
    'failed',
    half('{"error":{"message":"the model has stopped"}}\n'),
    failed('the model has stopped'),
  ],
  [
    'an error in a field of its own',
    'contextTooLong',
    { steps: [{ raw: 'error: {"code":400,"message":"context size exceeded"}\n\n' }] },
    'The conversation is too long for the model: “context size exceeded”. Send a shorter message, or choose a model with a larger context window.',
  ],
];

test.each(STREAMS)('reports a stream with %s as %s', async (...[, kind, reply, message]) => {
  expect(await chatError(reply)).toMatchObject({ kind, message });
});

test('accepts a stream that is cut after its finish reason', async () => {
  const { endpoint, stub } = await endpointForTest();
  const last = { choices: [{ delta: {}, finish_reason: 'length' }] };
  stub.next({ steps: ['All', { event: last }], end: 'cut' });
  expect((await partsOf(endpoint.chat(QUESTION, { signal }))).at(-1)).toEqual({
    kind: 'end',
    reason: 'length',
  });
});

test.each([
  ['before the response', undefined, {}, [], 600_000],
  ['after its head, with a setting', 90, { steps: [], end: 'stall' }, [], 90_000],
  ['in the middle', undefined, { steps: ['Half'], end: 'stall' }, ['Half'], 60_000],
] as const)('reports an endpoint that sends nothing for too long, %s', async (...row) => {
  const [, firstByteS, reply, expected, ms] = row;
  const { endpoint, stub, clock } = await endpointForTest({
    model: 'm',
    ...(firstByteS !== undefined && { firstByteS }),
  });
  stub.next(reply);
  const texts: string[] = [];
  const answer = async () => {
    for await (const part of endpoint.chat(QUESTION, { signal }))
      if (part.kind === 'text') texts.push(part.text);
  };
  const advance = async () => {
    await stub.request(0);
    // A byte starts the time again: the client waits for the next one.
    await clock.untilDue(ms);
    clock.advance(ms - 1);
    expect(clock.nextDue()).toBe(ms);
    clock.advance(1);
  };
  const advanced = advance();
  await expect(answer()).rejects.toMatchObject({ kind: 'stalled' });
  await advanced;
  expect(texts).toEqual(expected);
  expect(await (await stub.request(0)).isComplete).toBe(false);
});

test('reports an endpoint that sends only comments for 5 minutes between two parts', async () => {
  const { endpoint, stub, clock } = await endpointForTest({ model: 'm' });
  const comments = Array.from({ length: 12 }, () => [{ hold: true }, { raw: ':ping\n\n' }] as const).flat();
  stub.next({ steps: ['Half', ...comments], end: 'stall' });
  const answer = partsOf(endpoint.chat(QUESTION, { signal })).catch((error: unknown) => error);
  for (let ms = 0; ms < 300_000; ms += 30_000) {
    await clock.untilDue(Math.min(ms + 60_000, 300_000));
    clock.advance(30_000);
    stub.release();
  }
  expect(await answer).toMatchObject({
    kind: 'stalled',
    message: expect.stringContaining('sent nothing of the answer for 5 minutes. Send “continue”'),
  });
});
