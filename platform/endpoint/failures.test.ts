import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test, onTestFinished, vi } from 'vitest';
import { type ChatMessage, EndpointError } from './endpoint.ts';
import { connectionError } from './createConnection.ts';
import { endpointText } from './responseError.ts';
import { CERTIFICATE } from './testing/certificates.ts';
import { QUESTION, endpointForTest, partsOf } from './testing/endpointForTest.ts';
import { type StubReply, failure } from './testing/startEndpointStub.ts';

const signal = new AbortController().signal;
const KEY = 'sk-secret-qwxyz';

/** Resolves with the error of a chat that gets this reply, and what it says as a text, in which the server is `S`. */
async function chatError(reply: StubReply, messages = QUESTION, key: string | null = KEY) {
  const { endpoint, stub } = await endpointForTest({ model: 'm', key });
  stub.always(reply);
  const error: unknown = await partsOf(endpoint.chat(messages, { signal })).catch((cause: unknown) => cause);
  if (!(error instanceof EndpointError)) throw new Error('expected an EndpointError', { cause: error });
  const said = error.message.replaceAll(new URL(stub.url).origin, 'S');
  return { error, said: `${error.kind} (again after ${error.retryAfterS ?? '-'} s): ${said}` };
}

const after = (wait: string) => ({ headers: { 'retry-after': wait } });
const limited = (headers: Record<string, string>) => ({ status: 429, headers, body: '' });
const DATE = 'Sun, 22 Nov 2026 20:00:00 GMT';
const half = (raw: string): StubReply => ({ steps: ['Half', { raw }], end: 'close' });
const LONG = 'x'.repeat(200_000);

const REPLIES: readonly StubReply[] = [
  failure(401, `No: ${KEY}`),
  failure(403, 'Denied'),
  failure(404, 'No.', { code: 'model_not_found' }),
  failure(404, 'The model `m` does not exist or you do not have access to it.'),
  failure(400, 'm is not a valid model ID'),
  { status: 404, body: 'Not found' },
  { status: 308, headers: { location: 'https://a.org/v1?token=1' }, body: '' },
  failure(429, 'Rate limit reached', after('7')),
  ...['1', '600', 'soon'].map((wait) => limited({ 'retry-after': wait })),
  limited({ 'retry-after': DATE.replace('00:00', '00:30'), date: DATE }),
  failure(503, 'Busy', after('9')),
  failure(500, 'Oh.', after('9')),
  { status: 502, body: '<h1>Bad gateway</h1>' },
  failure(503, 'Loading model'),
  failure(503, 'Loading model', after('20')),
  failure(413, 'Request too large for model m'),
  // The public service, vLLM, llama.cpp, Ollama, and others.
  failure(400, 'No', { code: 'context_length_exceeded' }),
  failure(400, 'The maximum context length is 8192'),
  failure(400, 'the input length exceeds the context'),
  failure(422, '`inputs` tokens must be <= 4096'),
  half('error: {"code":400,"message":"context size exceeded"}\n\n'),
  { steps: ['Half'], end: 'cut' },
  { steps: [], end: 'close' },
  { steps: [{ raw: 'data: {"choices":[{"del' }], end: 'close' },
  half('data: {"choices":[}\n\n'),
  { steps: ['data: ', ...Array(6).fill(LONG)].map((raw) => ({ raw })) },
  { steps: [LONG, LONG, LONG] },
  { headers: { 'content-type': 'text/html; charset=x' }, body: '' },
  half('data: {"error":{"message":"CUDA is full","code":500}}\n\n'),
  half('data: {"object":"error","message":"engine died","code":500}\n\n'),
  half('event: error\ndata: {"message":"overloaded"}\n\n'),
  half('{"error":{"message":"the model has stopped"}}\n'),
];
const OF_PICTURES = [failure(500, 'image input is not supported'), failure(404, 'No mmproj found')];
const PICTURE: readonly ChatMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    ],
  },
];
const CODES = [
  ['ECONNREFUSED', 'EAI_AGAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'CERT_REVOKED', 'HPE_INVALID_CONSTANT'],
  ['ECONNRESET'],
].flat();

test('says what each failure is, and what to do', async () => {
  const sections: string[] = [];
  for (const [title, messages, key, replies] of [
    ['a question', QUESTION, KEY, [...REPLIES, ...OF_PICTURES]],
    ['a picture', PICTURE, KEY, [...OF_PICTURES, { status: 413, body: '' }]],
    ['a question without a key', QUESTION, null, [401, 403].map((status) => ({ status, body: '' }))],
  ] as const) {
    sections.push(`# Replies to ${title}\n`);
    for (const reply of replies) {
      const { said } = await chatError(reply, messages, key);
      sections.push(`${JSON.stringify(reply).replaceAll(LONG, 'x{200000}')}\n  ${said}\n`);
    }
  }
  sections.push('# Errors of the connection\n');
  for (const code of CODES) {
    const error = Object.assign(new Error(KEY), { code });
    const { kind, message } = connectionError(error, new URL('https://a.org/v1'), 'Go on.');
    sections.push(`${code}\n  ${kind}: ${message}\n`);
  }
  await expect(sections.join('')).toMatchFileSnapshot('testing/failures.txt');
});

test('never puts the key into an error', async () => {
  const words = `Key ${KEY} or sk-sec*****qwxyz at Bearer ${KEY}`;
  const replies: StubReply[] = [
    ...[400, 401, 403, 404, 429, 500].map((status) => failure(status, words)),
    { steps: [{ event: { error: `Wrong key: ${KEY}` } }] },
    { status: 307, headers: { location: `http://example.org/${KEY}` }, body: '' },
    { steps: ['Half'], end: 'cut' },
  ];
  for (const reply of replies) {
    const { error } = await chatError(reply);
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/sk-sec|qwxyz/);
    expect(error.cause).toBeUndefined();
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

test('sends nothing to a server whose certificate is not trusted, and says how to trust it', async () => {
  const { endpoint, stub } = await endpointForTest({ key: 'sk-secret' }, { isSecure: true });
  const words = `The certificate of ${new URL(stub.url).origin} is self-signed, so it is not trusted. To trust it, `;
  const message = expect.stringContaining(`${words}start Parley with NODE_EXTRA_CA_CERTS=`);
  await expect(endpoint.models(signal)).rejects.toMatchObject({ kind: 'tls', message });
  expect(stub.requests).toEqual([]);
});

test('reaches another machine’s https through the proxy of the environment, which sees no key', async () => {
  const { stub } = await endpointForTest({}, { isSecure: true, key: 'sk-secret' });
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
  const settings = { url: 'https://hostauth.test/v1', key: 'sk-secret' };
  const { endpoint } = await endpointForTest(settings, { ca: CERTIFICATE });
  expect(await endpoint.models(signal)).toEqual([{ id: 'stub-model', contextTokens: 8192 }]);
  expect(seen).toEqual([expect.stringMatching(/^hostauth\.test:443 (?!.*sk-secret)/)]);
});

test('accepts a stream that is cut after its finish reason', async () => {
  const { endpoint, stub } = await endpointForTest();
  const last = { choices: [{ delta: {}, finish_reason: 'length' }] };
  stub.next({ steps: ['All', { event: last }], end: 'cut' });
  const parts = await partsOf(endpoint.chat(QUESTION, { signal }));
  expect(parts.at(-1)).toEqual({ kind: 'end', reason: 'length' });
});

test.each([
  ['before the response', {}, {}, [], 600_000],
  ['after its head, with a setting', { firstByteS: 90 }, { steps: [], end: 'stall' }, [], 90_000],
  ['in the middle', {}, { steps: ['Half'], end: 'stall' }, ['Half'], 60_000],
] as const)('reports an endpoint that sends nothing for too long, %s', async (...row) => {
  const [, settings, reply, expected, ms] = row;
  const { endpoint, stub, clock } = await endpointForTest({ model: 'm', ...settings });
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
    clock.advance(300_000);
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
