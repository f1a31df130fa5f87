import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createRecorder } from '../record.ts';
import { linesOf, recordsOf, startServer, virtualNow } from './testing/recorded.ts';

/** Starts a server that answers each request with these pieces, and a recorder. */
async function setUp(type: string, ...pieces: readonly (string | Uint8Array)[]) {
  const recorder = createRecorder({ app: 'x', clear: ['type'], now: virtualNow() });
  const url = await startServer((_, response) => {
    response.writeHead(200, { 'content-type': type, 'x-person': 'Ada' });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  const records = () => recordsOf(recorder.save());
  return { fetch: recorder.fetch(fetch), url, records };
}

const request = (url: string) => ({ type: 'http', id: 1, request: { method: 'GET', url } });

test('records requests and whole answers, without the texts of people', async () => {
  const { fetch, url, records } = await setUp(
    'application/json; charset=utf-8',
    '{"type":"user","name":"Ada"}',
  );
  const init = { method: 'post', body: '{"name":"Ada"}' };
  const response = await fetch(`${url}/api/users/ada@x.org/posts/42?query=Ada&page=2#Ada`, init);
  expect(await response.json()).toEqual({ type: 'user', name: 'Ada' });
  expect(response.bodyUsed).toBe(true);
  expect(records()).toEqual([
    {
      type: 'http',
      id: 1,
      request: {
        method: 'POST',
        url: `${url}/api/users/id-0/posts/42?query=text-0&page=2`,
        body: '{"name":"text-0"}',
      },
    },
    {
      type: 'http',
      id: 1,
      response: {
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: '{"type":"user","name":"text-0"}',
      },
    },
  ]);
});

test('records a Request, an answer that is cloned, and bytes', async () => {
  const { fetch, url, records } = await setUp('image/png', new Uint8Array([1, 2]));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(new Request(url, { method: 'PUT', body: '["Ada"]', headers }));
  const clone = response.clone();
  expect(new Uint8Array(await clone.arrayBuffer())).toEqual(new Uint8Array([1, 2]));
  expect((await response.blob()).size).toBe(2);
  expect(records()).toMatchObject([
    { request: { method: 'PUT', body: '["text-0"]' } },
    { response: { status: 200, body: btoa('binary-0'), encoding: 'base64' } },
  ]);
});

/** Reads a body as text, in pieces. */
async function readPieces(response: Response): Promise<string> {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece;
  return text;
}

test('records server-sent events by whole events, and gives the app its pieces as they are', async () => {
  const events = [
    'event: card\nid: Ada-1\nda',
    'ta: {"type":"moved",\ndata: "by":"Ada"}\n',
    '\ndata: [DONE]\n\n',
  ];
  const { fetch, url, records } = await setUp('text/event-stream', ...events);
  expect(await readPieces(await fetch(url))).toBe(events.join(''));
  const chunks = records().flatMap(({ chunk }) => (typeof chunk === 'string' ? [chunk] : []));
  expect(chunks.join('')).toBe(
    'event: card\nid: id-0\ndata: {"type":"moved","by":"text-0"}\n\ndata: frame-0\n\n',
  );
  expect(records()).toMatchObject([
    request(url),
    { response: { status: 200, headers: { 'content-type': 'text/event-stream' } } },
    ...chunks.map((chunk) => ({ chunk })),
    { end: true },
  ]);
});

/** Returns the pieces of a body that are recorded. */
const recordedPieces = async (type: string, ...pieces: readonly string[]) => {
  const { fetch, url, records } = await setUp(type, ...pieces);
  await readPieces(await fetch(url));
  return records()
    .map(({ chunk = '' }) => chunk)
    .join('');
};

test('records NDJSON by lines, JSON as a whole, and other texts piece by piece', async () => {
  expect(await recordedPieces('application/x-ndjson', '{"a":"x"}\n{"b', '":"y"}\n{"c":1}')).toBe(
    '{"a":"text-0"}\n{"b":"text-1"}\n{"c":1}',
  );
  expect(await recordedPieces('application/json', '[{"a":', '"x"}]')).toBe('[{"a":"text-0"}]');
  expect(await recordedPieces('text/plain', 'A text of Ada')).toBe('text-0');
});

test('records an answer of which the app reads nothing, and one that it reads later', async () => {
  const { fetch, url, records } = await setUp('text/plain', 'Ada');
  const response = await fetch(url);
  await new Promise((resolve) => void setTimeout(resolve, 0));
  expect(records()).toMatchObject([request(url), { response: { status: 200 } }]);
  expect(records()[1]).not.toHaveProperty('response.body');
  expect(await response.text()).toBe('Ada');
  expect(records().slice(2)).toMatchObject([{ chunk: 'text-0' }, { end: true }]);
});

test('records nothing before a body is complete, and the name of the error when it is not valid', async () => {
  const recorder = createRecorder({ app: 'x', now: virtualNow() });
  const { readable, writable } = new TransformStream();
  const body = writable.getWriter();
  const reading = (await recorder.fetch(() => Promise.resolve(new Response(readable)))('/api')).json();
  expect(recordsOf(recorder.save())).toMatchObject([request('/api')]);
  await body.write(new TextEncoder().encode('no JSON of Ada'));
  await body.close();
  await expect(reading).rejects.toThrow(SyntaxError);
  expect(recordsOf(recorder.save()).slice(1)).toEqual([{ type: 'http', id: 1, error: 'SyntaxError' }]);
  const noContent = recorder.fetch(() => Promise.resolve(new Response(null, { status: 204 })));
  await noContent('/api');
  expect(recordsOf(recorder.save()).at(-1)).toEqual({
    type: 'http',
    id: 2,
    response: { status: 204, headers: {}, body: '' },
  });
});

test('passes an abort on in both directions, and records only the name of an error', async () => {
  const recorder = createRecorder({ app: 'x', now: virtualNow() });
  const closed: Promise<unknown>[] = [];
  const url = await startServer((_, response) => {
    closed.push(once(response, 'close'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  const recorded = recorder.fetch(fetch);
  const abort = new AbortController();
  const aborted = await recorded(url, { signal: abort.signal });
  const reader = aborted.body?.getReader();
  await reader?.read();
  abort.abort();
  await expect(reader?.read()).rejects.toThrow('aborted');
  const cancelled = await recorded(url);
  const second = cancelled.body?.getReader({ mode: 'byob' });
  const { value } = (await second?.read(new Uint8Array(5))) ?? {};
  expect(new TextDecoder().decode(value)).toBe('data:');
  await second?.cancel();
  await Promise.all(closed);
  await expect(recorded('http://127.0.0.1:1/')).rejects.toThrow('fetch failed');
  await expect(recorded('no address of Ada')).rejects.toThrow(TypeError);
  expect(linesOf(recorder.save())).toMatchObject([
    {},
    request(url),
    { response: { status: 200 } },
    { id: 1, chunk: 'data: 1\n\n' },
    { id: 1, error: 'AbortError' },
    { id: 2, request: { url } },
    { id: 2, response: { status: 200 } },
    { id: 2, chunk: 'data: 1\n\n' },
    { id: 2, error: 'AbortError' },
    { id: 3, request: { url: 'http://127.0.0.1:1/' } },
    { id: 3, error: 'TypeError' },
    { id: 4, request: { url: 'id-0' } },
    { id: 4, error: 'TypeError' },
    { type: 'end' },
  ]);
});
