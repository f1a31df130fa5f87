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

/** Resolves with the error of a chat that gets this reply, and its kind and message as a text, in which the server is `S`. */
async function chatError(reply: StubReply, messages: readonly ChatMessage[] = QUESTION) {
  const { endpoint, stub } = await endpointForTest({ model: 'm', key: KEY });
  stub.always(reply);
  const error: unknown = await partsOf(endpoint.chat(messages, { signal })).catch((cause: unknown) => cause);
  if (!(error instanceof EndpointError)) throw new Error('expected an EndpointError', { cause: error });
  return { error, said: `${error.kind}: ${error.message.replaceAll(new URL(stub.url).origin, 'S')}` };
}

const IN_SETTINGS = 'in Settings › Assistant';
const ADDRESS = `Check the address ${IN_SETTINGS}: it usually ends with /v1.`;
const AGAIN = 'Send “again” to repeat the question.';
const CONTINUE = 'Send “continue” for the rest.';
const LOADING = `loading: S still loads the model: “Loading model”. ${AGAIN}`;
const NO_MODEL = `unknownModel: S has no model “m”. Choose another ${IN_SETTINGS}, or install it on the server.`;

const tooLong = (words: string) =>
  `contextTooLong: The conversation is too long for the model: “${words}”. Send a shorter message, or choose a model with a larger context window.`;
const limits = (words: string) => `rateLimited: S limits the requests${words}, then try again.`;
const cut = (advice: string) => `cut: The connection to S ended before the answer did. ${advice}`;
const broken = (what: string, advice = ADDRESS) => `broken: The server at S sent ${what}. ${advice}`;
const failed = (words: string) => `failed: S failed (500): “${words}”. ${CONTINUE}`;
const after = (wait: string) => ({ headers: { 'retry-after': wait } });
const limited = (headers: Record<string, string>) => ({ status: 429, headers, body: '' });
const DATE = 'Sun, 22 Nov 2026 20:00:00 GMT';
const half = (raw: string): StubReply => ({ steps: ['Half', { raw }], end: 'close' });
const LONG = 'x'.repeat(200_000);

test.each<[said: string, reply: StubReply, retryAfterS?: number]>([
  [`unauthorized: S does not accept the key (401). Correct it ${IN_SETTINGS}.`, failure(401, `No: ${KEY}`)],
  [
    `unauthorized: S does not allow the request (403): “Denied”. Check the key and the model ${IN_SETTINGS}.`,
    failure(403, 'Denied'),
  ],
  [NO_MODEL, failure(404, 'No.', { code: 'model_not_found' })],
  [NO_MODEL, failure(404, 'The model `m` does not exist or you do not have access to it.')],
  [NO_MODEL, failure(400, 'm is not a valid model ID')],
  [`rejected: S has nothing at /v1/chat/completions (404). ${ADDRESS}`, { status: 404, body: 'Not found' }],
  [
    `rejected: S redirects to https://a.org/v1, and the key is not sent there. Change the address ${IN_SETTINGS}.`,
    { status: 308, headers: { location: 'https://a.org/v1?token=1' }, body: '' },
  ],
  [limits(': “Rate limit reached”. Wait 7 seconds'), failure(429, 'Rate limit reached', after('7')), 7],
  [limits('. Wait 1 second'), limited({ 'retry-after': '1' }), 1],
  [limits('. Wait 10 minutes'), limited({ 'retry-after': '600' }), 600],
  [limits('. Wait 30 seconds'), limited({ 'retry-after': DATE.replace('00:00', '00:30'), date: DATE }), 30],
  [limits('. Wait a while'), limited({ 'retry-after': 'soon' })],
  [`failed: S failed (503): “Busy”. ${AGAIN}`, failure(503, 'Busy', after('9')), 9],
  [`failed: S failed (500): “Oh.” ${AGAIN}`, failure(500, 'Oh.', after('9'))],
  [`failed: S failed (502). ${AGAIN}`, { status: 502, body: '<h1>Bad gateway</h1>' }],
  [LOADING, failure(503, 'Loading model'), 5],
  [LOADING, failure(503, 'Loading model', after('20')), 20],
  [tooLong('Request too large for model m'), failure(413, 'Request too large for model m')],
  // The public service, vLLM, llama.cpp, Ollama, and others.
  [tooLong('No'), failure(400, 'No', { code: 'context_length_exceeded' })],
  [tooLong('The maximum context length is 8192'), failure(400, 'The maximum context length is 8192')],
  [tooLong('the input length exceeds the context'), failure(400, 'the input length exceeds the context')],
  [tooLong('`inputs` tokens must be <= 4096'), failure(422, '`inputs` tokens must be <= 4096')],
  [tooLong('context size exceeded'), half('error: {"code":400,"message":"context size exceeded"}\n\n')],
  [cut(CONTINUE), { steps: ['Half'], end: 'cut' }],
  [cut(AGAIN), { steps: [], end: 'close' }],
  [cut(AGAIN), { steps: [{ raw: 'data: {"choices":[{"del' }], end: 'close' }],
  [broken('a frame that is not in the public format', CONTINUE), half('data: {"choices":[}\n\n')],
  [broken('a line of more than 1 MB'), { steps: ['data: ', ...Array(6).fill(LONG)].map((raw) => ({ raw })) }],
  [broken('an answer of more than 500,000 characters', CONTINUE), { steps: [LONG, LONG, LONG] }],
  [broken('a page instead of an answer'), { headers: { 'content-type': 'text/html; charset=x' }, body: '' }],
  [failed('CUDA is full'), half('data: {"error":{"message":"CUDA is full","code":500}}\n\n')],
  [failed('engine died'), half('data: {"object":"error","message":"engine died","code":500}\n\n')],
  [failed('overloaded'), half('event: error\ndata: {"message":"overloaded"}\n\n')],
  [failed('the model has stopped'), half('{"error":{"message":"the model has stopped"}}\n')],
])('says “%s”', async (said, reply, retryAfterS) => {
  const reported = await chatError(reply);
  expect(reported.said).toBe(said);
  expect(reported.error.retryAfterS).toBe(retryAfterS);
});

test('reports a model without pictures, and pictures that are too large', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
  const words = { type: 'text', text: 'What is it?' } as const;
  const picture: ChatMessage[] = [{ role: 'user', content: [words, image] }];
  for (const reply of [failure(500, 'image input is not supported'), failure(404, 'No mmproj found')]) {
    expect((await chatError(reply, picture)).said).toBe(
      `unsupported: The model “m” accepts no pictures. Choose another ${IN_SETTINGS}, or describe the picture in words.`,
    );
    expect((await chatError(reply)).error.kind).not.toBe('unsupported');
  }
  const { said } = await chatError({ status: 413, body: '' }, picture);
  expect(said).toBe('tooLarge: The pictures are too large for S. Send a smaller one.');
});

const HOST = new URL('https://a.org/v1');

test.each([
  ['ECONNREFUSED', /^refused: No server answers at https:\/\/a\.org\. Start it, .* change the address in /],
  ['EAI_AGAIN', /^notFound: No host is named “a\.org”\. Check the network, or change the address in /],
  ['UNABLE_TO_GET_ISSUER_CERT', /^tls: .* an authority that is not known here\. To trust it, start Parley /],
  ['CERT_HAS_EXPIRED', /^tls: .* has expired\. Renew it on the server, and check this machine’s date\.$/],
  ['CERT_NOT_YET_VALID', /^tls: .* is not valid yet\. Check this machine’s date\.$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /^tls: .* another name than a\.org\. Use the name in the certificate: /],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /^tls: .* does not speak https\. Use http: change the address/],
  ['CERT_REVOKED', /^tls: No secure connection to https:\/\/a\.org is possible \(CERT_REVOKED\)\./],
  ['HPE_INVALID_CONSTANT', /^broken: .* does not speak HTTP \(HPE_INVALID_CONSTANT\)\. Check the address/],
  ['ECONNRESET', /^cut: The connection to https:\/\/a\.org ended before the answer did\. Go on\.$/],
])('says what %s means', (code, words) => {
  const { kind, message } = connectionError(Object.assign(new Error(KEY), { code }), HOST, 'Go on.');
  expect(`${kind}: ${message}`).toMatch(words);
});

test.each([
  [401, `S needs a key (401). Add it ${IN_SETTINGS}.`],
  [403, `S does not allow the request (403). Check the address and the model, or add a key ${IN_SETTINGS}.`],
])('asks for a key after %i when there is none', async (status, said) => {
  const { endpoint, stub } = await endpointForTest({ model: 'm' });
  stub.always({ status, body: '' });
  const message = said.replace('S', new URL(stub.url).origin);
  await expect(partsOf(endpoint.chat(QUESTION, { signal }))).rejects.toMatchObject({ message });
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
