import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test, describe, onTestFinished, vi } from 'vitest';
import { type ChatMessage, EndpointError, type EndpointErrorKind } from './endpoint.ts';
import { endpointText } from './responseError.ts';
import { QUESTION, chatError, endpointForTest, partsOf } from './testing/endpointForTest.ts';
import { type StubReply, failure } from './testing/startEndpointStub.ts';

const PICTURE: readonly ChatMessage[] = [
  { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
];
const signal = new AbortController().signal;

const RESPONSES: readonly (readonly [EndpointErrorKind, StubReply, string])[] = [
  [
    'unauthorized',
    failure(401, 'Incorrect API key provided: sk-secret-qwxyz.'),
    'S does not accept the key (401). Correct it in Settings › Assistant.',
  ],
  [
    'unauthorized',
    failure(403, 'The project has no access to model m'),
    'S does not allow the request (403): “The project has no access to model m”. Check the key and the model in Settings › Assistant.',
  ],
  [
    'unknownModel',
    failure(404, 'The model `m` does not exist or you do not have access to it.', {
      code: 'model_not_found',
    }),
    'S has no model “m”. Choose another in Settings › Assistant, or install it on the server.',
  ],
  [
    'unknownModel',
    failure(400, 'm is not a valid model ID'),
    'S has no model “m”. Choose another in Settings › Assistant, or install it on the server.',
  ],
  [
    'rejected',
    { status: 404, body: '404 page not found' },
    'S has nothing at /v1/chat/completions (404). Check the address in Settings › Assistant: it usually ends with /v1.',
  ],
  [
    'rejected',
    { status: 308, headers: { location: 'https://example.org/v1/chat/completions?token=1' }, body: '' },
    'S redirects to https://example.org/v1/chat/completions, and the key is not sent there. Change the address in Settings › Assistant.',
  ],
  [
    'rateLimited',
    failure(429, 'Rate limit reached', { headers: { 'retry-after': '7' } }),
    'S limits the requests: “Rate limit reached”. Wait 7 seconds, then try again.',
  ],
  [
    'contextTooLong',
    failure(413, 'Request too large for model m'),
    'The conversation is too long for the model: “Request too large for model m”. Send a shorter message, or choose a model with a larger context window.',
  ],
  [
    'loading',
    failure(503, 'Loading model', { type: 'unavailable_error' }),
    'S still loads the model: “Loading model”. Send “again” to repeat the question.',
  ],
  [
    'failed',
    { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
    'S failed (502). Send “again” to repeat the question.',
  ],
];

test.each(RESPONSES)('reports %s for %j', async (kind, reply, message) => {
  expect(await chatError(reply)).toMatchObject({ kind, message });
});

test.each([
  // The public service, vLLM, llama.cpp, Ollama, and others.
  failure(
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    {
      code: 'context_length_exceeded',
    },
  ),
  failure(400, 'the input length exceeds the context length'),
  failure(422, 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000'),
])('reports a conversation that is too long: %j', async (reply) => {
  const { kind, message } = await chatError(reply);
  expect(kind).toBe('contextTooLong');
  expect(message).toMatch(
    /^The conversation is too long for the model: “.+”\.? Send a shorter message, or choose/,
  );
});

test.each([
  failure(
    500,
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
  ),
  failure(404, 'No endpoints found that support image input'),
])('reports a model without pictures: %j', async (reply) => {
  expect(await chatError(reply, PICTURE)).toMatchObject({
    kind: 'unsupported',
    message:
      'The model “m” accepts no pictures. Choose another in Settings › Assistant, or describe the picture in words.',
  });
  expect((await chatError(reply)).kind).not.toBe('unsupported');
});

test('reports pictures that are too large', async () => {
  const message = 'The pictures are too large for S. Send a smaller one.';
  expect(await chatError({ status: 413, body: '' }, PICTURE)).toMatchObject({ kind: 'tooLarge', message });
});

const limited = (headers: Record<string, string>) => ({ status: 429, headers, body: '' });
const DATE = 'Sun, 22 Nov 2026 20:00:00 GMT';

test.each<[StubReply, number | undefined, string]>([
  [limited({ 'retry-after': '1' }), 1, 'Wait 1 second, then try again.'],
  [limited({ 'retry-after': '600' }), 600, 'Wait 10 minutes, then try again.'],
  [limited({ 'retry-after': DATE.replace('00:00', '00:30'), date: DATE }), 30, 'Wait 30 seconds, then'],
  [limited({ 'retry-after': 'soon' }), undefined, 'S limits the requests. Wait a while, then try again.'],
  [failure(503, 'Busy', { headers: { 'retry-after': '9' } }), 9, 'S failed'],
  [failure(503, 'Loading model'), 5, 'S still loads'],
  [failure(503, 'Loading model', { headers: { 'retry-after': '20' } }), 20, 'S still loads'],
  [failure(500, 'Oh.', { headers: { 'retry-after': '9' } }), undefined, 'S failed'],
])('reads the time to wait from %j', async (reply, retryAfterS, words) => {
  const error = await chatError(reply);
  expect(error.retryAfterS).toBe(retryAfterS);
  expect(error.message).toContain(words);
});

test('says where no server answers, and which name is unknown', async () => {
  const { endpoint, stub } = await endpointForTest();
  await stub.stop();
  await expect(endpoint.models(signal)).rejects.toMatchObject({
    kind: 'refused',
    message: `No server answers at ${new URL(stub.url).origin}. Start it, check the network, or change the address in Settings › Assistant.`,
  });
  const other = await endpointForTest({ url: 'http://nowhere.invalid/v1' });
  await expect(other.endpoint.models(signal)).rejects.toMatchObject({
    kind: 'notFound',
    message:
      'No host is named “nowhere.invalid”. Check the network, or change the address in Settings › Assistant.',
  });
});

test('never puts the key into an error', async () => {
  const key = 'sk-secret-qwxyz';
  const replies: StubReply[] = [
    ...[400, 401, 403, 404, 429, 500].map((status) =>
      failure(status, `Key ${key} or sk-sec*****qwxyz at Bearer ${key}`),
    ),
    { steps: [{ event: { error: `Wrong key: ${key}` } }] },
    { status: 307, headers: { location: `http://example.org/${key}` }, body: '' },
    { steps: ['Half'], end: 'cut' },
  ];
  for (const reply of replies) {
    const { endpoint, stub } = await endpointForTest({ model: 'm', key });
    stub.always(reply);
    const error: unknown = await partsOf(endpoint.chat(QUESTION, { signal })).catch(
      (failed: unknown) => failed,
    );
    if (!(error instanceof EndpointError)) throw new Error('expected an EndpointError');
    const { message, stack, cause } = error;
    expect(JSON.stringify([error, message, stack])).not.toMatch(/sk-sec|qwxyz/);
    expect(cause).toBeUndefined();
  }
});

test.each([
  ['{"error":{"message":"No."}}', 'No.'],
  ['{"detail":[{"msg":"No.","loc":[]}]}', 'No.'],
  ['No.\r\nReally\u202e\u0007 no.', 'No. Really no.'],
  ['<html><h1>No.</h1></html>', ''],
  ['{"other":1}', ''],
  ['Wrong key: abc123def456.', 'Wrong key: •••.'],
  ['Wrong key: ******def456.', 'Wrong key: •••'],
  ['Send Authorization: Bearer xyz', 'Send Authorization: •••'],
  ['The model is loading', 'The model is loading'],
])('reads the words of %j without keys', (body, text) => {
  expect(endpointText(body, 'abc123def456')).toBe(text);
});

describe('certificates', () => {
  test('speaks https with a server whose certificate is right', async () => {
    const { endpoint } = await endpointForTest({}, { tls: 'trusted' });
    expect((await partsOf(endpoint.chat(QUESTION, { signal }))).at(-1)).toMatchObject({ kind: 'end' });
  });

  test.each([
    [
      'selfSigned',
      'is self-signed, so it is not trusted. To trust it, start Parley with NODE_EXTRA_CA_CERTS=',
    ],
    ['expired', 'has expired. Renew it on the server, and check this machine’s date.'],
    [
      'wrongName',
      'is for another name than 127.0.0.1. Use the name in the certificate: change the address in Settings › Assistant.',
    ],
  ] as const)('says what is wrong with a certificate: %s', async (tls, words) => {
    const { endpoint, stub } = await endpointForTest({ key: 'sk-secret' }, { tls });
    await expect(endpoint.models(signal)).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining(`The certificate of ${new URL(stub.url).origin} ${words}`),
    });
    expect(stub.requests).toEqual([]);
  });

  test('reaches another machine’s https through the proxy of the environment, which sees no key', async () => {
    const { stub } = await endpointForTest({}, { tls: 'wrongName', key: 'sk-secret' });
    const seen: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url, headers }, socket) => {
      seen.push(`${url} ${JSON.stringify(headers)}`);
      const server = connect(stub.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      server.pipe(socket).pipe(server);
      server.on('error', () => socket.destroy());
      socket.on('error', () => server.destroy());
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const { port } = Object(proxy.address());
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { endpoint } = await endpointForTest({ url: 'https://other.example/v1', key: 'sk-secret' });
    expect(await endpoint.models(signal)).toEqual([{ id: 'stub-model', contextTokens: 8192 }]);
    expect(seen).toEqual([expect.stringMatching(/^other\.example:443 (?!.*sk-secret)/)]);
  });
});

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

test('does not count the time in which an answer is not read as silence of the endpoint', async () => {
  const { endpoint, stub, clock } = await endpointForTest({ model: 'm' });
  stub.next({ steps: ['Two', { hold: true }, 'Three', { hold: true }, 'Parts'] });
  const texts: string[] = [];
  for await (const part of endpoint.chat(QUESTION, { signal })) {
    if (part.kind === 'text') texts.push(part.text);
    clock.advance(60_000);
    stub.release();
  }
  expect(texts).toEqual(['Two', 'Three', 'Parts']);
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
