import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test, onTestFinished, vi } from 'vitest';
import { tableOf } from '#tests/builders/tableOf.ts';
import { type ChatMessage, EndpointError } from './endpoint.ts';
import { connectionError } from './createConnection.ts';
import { responseError } from './responseError.ts';
import { CERTIFICATE } from './testing/certificates.ts';
import { QUESTION, endpointForTest, partsOf } from './testing/endpointForTest.ts';
import { STUB_PATHS, type StubReply, failure } from './testing/startEndpointStub.ts';
import { listEndpoint } from './testEndpoint.ts';

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

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
const PICTURE: readonly ChatMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'What is it?' }, IMAGE] },
];
const LONG = 'x'.repeat(200_000);

/** Resolves with the model in use and the result of a test, for settings without and with a model, when the list of models is this reply. */
async function saidOfList(reply: StubReply): Promise<string> {
  const said: string[] = [];
  for (const model of [null, 'm']) {
    const { endpoint, settings, stub, clock } = await endpointForTest({ model });
    stub.always(reply, STUB_PATHS.models);
    const used: unknown = await endpoint.model(signal).catch((error: unknown) => [error, String(error)]);
    const lines = [used, await listEndpoint(settings, { clock, signal })].map((result) =>
      JSON.stringify(result),
    );
    said.push(lines.join('\n').replaceAll(new URL(stub.url).origin, 'S'));
  }
  return said.join('\n');
}

function saidOfCode(code: string): string {
  const error = Object.assign(new Error(KEY), { code });
  const { kind, message } = connectionError(error, new URL('https://a.org/v1'), 'Go on.');
  return `${kind}: ${message}`;
}

/** What is said of a reply, by the heading of its section. */
const SAID: Readonly<Record<string, (reply: StubReply) => Promise<string>>> = {
  '# Replies to a question': async (reply) => (await chatError(reply)).said,
  '# Replies to a picture': async (reply) => (await chatError(reply, PICTURE)).said,
  '# Replies to a question without a key': async (reply) => (await chatError(reply, QUESTION, null)).said,
  '# Replies to the request for the models': saidOfList,
};

test('says what each failure is, and what to do', async () => {
  let heading = '';
  const path = join(import.meta.dirname, 'testing/failures.txt');
  const table = await tableOf(path, (line) => {
    if (line.startsWith('#')) heading = line;
    if (line.startsWith('{')) return SAID[heading]?.(JSON.parse(line.replaceAll('x{200000}', LONG))) ?? '';
    return line.startsWith('#') ? '' : saidOfCode(line);
  });
  await expect(table).toMatchFileSnapshot(path);
});

/** What servers say, one a line: the kind of the failure, the status, `+` when the question has a picture, and the body. */
const WORDS = readFileSync(join(import.meta.dirname, 'testing/failureWords.txt'), 'utf8');

test('tells failures apart by the words of the servers', () => {
  const request = { url: new URL('https://a.org/v1'), key: null, model: 'm', advice: '' };
  const told = WORDS.split('\n').map((line) => {
    const [, status, picture, body = ''] = /^\w+ (\d+)(\+?) (.+)$/.exec(line) ?? [];
    const response = { status: Number(status), headers: {}, body };
    return line.replace(/^\w+/, responseError(response, { ...request, hasImages: picture === '+' }).kind);
  });
  expect(told.join('\n')).toBe(WORDS);
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
  for (const name of ['127.0.0.1', 'localhost', 'near.localhost', '[::1]']) {
    const near = await endpointForTest({ url: stub.url.replace('127.0.0.1', name) });
    await expect(near.endpoint.models(signal)).rejects.toThrow(EndpointError);
  }
  expect(seen).toEqual([expect.stringMatching(/^hostauth\.test:443 (?!.*sk-secret)/)]);
});

test('accepts a stream that is cut after its finish reason', async () => {
  const { endpoint, stub } = await endpointForTest();
  stub.next({ steps: ['All', { event: { choices: [{ delta: {}, finish_reason: 'length' }] } }], end: 'cut' });
  const parts = await partsOf(endpoint.chat(QUESTION, { signal }));
  expect(parts.at(-1)).toEqual({ kind: 'end', reason: 'length' });
});

test.each([
  ['before the response', {}, {}, [], 600_000, 'sent nothing of the answer for 10 minutes. Send “again”'],
  ['after its head, as set', { firstByteS: 90 }, { steps: [], end: 'stall' }, [], 90_000, '90 seconds'],
  ['in the middle', {}, { steps: ['Half'], end: 'stall' }, ['Half'], 60_000, '60 seconds. Send “continue”'],
] as const)('reports an endpoint that sends nothing for too long, %s', async (...row) => {
  const [, settings, reply, expected, ms, words] = row;
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
  const message = expect.stringContaining(words);
  await expect(answer()).rejects.toMatchObject({ kind: 'stalled', message });
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
