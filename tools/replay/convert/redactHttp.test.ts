import { expect, test } from 'vitest';
import { redactBody, redactExchange, redactUrl } from './redactHttp.ts';
import { createAliases, redactFrame } from './redaction.ts';

const newAliasing = () => ({ aliases: createAliases(), codes: new Set(['type']) });

test.each([
  ['/api/v4/posts/list.json', '/api/v4/posts/list.json'],
  ['https://ada:secret@x.org:8080/users/ada%40x.org/', 'https://x.org:8080/users/id-0/'],
  [
    '/users/6f1c-77/posts/12?page=2&q=Ada+King&type=posted&on=true&&empty=#Ada',
    '/users/id-0/posts/12?page=2&q=text-0&type=posted&on=true&&empty=',
  ],
  ['?Ada King=1', '?key-0=1'],
  ['/%E0%A4%A', '/id-0'],
  ['data:text/plain,Ada', 'id-0/id-1'],
])('redacts the address %s', (url, redacted) => {
  expect(redactUrl(url, newAliasing())).toBe(redacted);
});

test('gives an id in an address the alias that it has in frames', () => {
  const aliasing = newAliasing();
  expect(redactFrame('{"id":"42","by":"k3/f9"}', aliasing)).toBe('{"id":"id-0","by":"text-0"}');
  expect(redactUrl('/posts/42/k3%2Ff9?after=42&limit=42.5', aliasing)).toBe(
    '/posts/id-0/text-0?after=id-0&limit=42.5',
  );
});

test.each([
  ['{"type":"posted","text":"Ada"}', '{"type":"posted","text":"text-0"}'],
  ['{"a":"Ada"}\n\n{"a":"Lin"}\n', '{"a":"text-0"}\n\n{"a":"text-1"}\n'],
  ['Ada\n{"a":"Lin"}', 'text-0'],
  [': Ada\nretry: 10\ndata: "Ada"\n\n', ':\nretry: 10\ndata: "text-0"\n\n'],
  ['data:[1,\r\ndata:2]\r\nevent:Ada King\r\n\r\nfoo: Ada\n\n', 'event: type-0\ndata: [1,2]\n\n:\n\n'],
  ['', ''],
])('redacts the body %j', (body, redacted) => {
  expect(redactBody(body, newAliasing())).toBe(redacted);
});

test('redacts a binary body, and keeps the type of an answer and the name of an error', () => {
  const aliasing = newAliasing();
  const headers = { 'content-type': 'image/png; name=Ada', cookie: 'Ada' };
  expect(
    redactExchange({ id: 1, response: { status: 200, headers, body: 'QWRh', encoding: 'base64' } }, aliasing),
  ).toEqual({
    response: {
      status: 200,
      headers: { 'content-type': 'image/png' },
      body: btoa('binary-0'),
      encoding: 'base64',
    },
  });
  expect(redactExchange({ id: 1, error: 'AbortError' }, aliasing)).toEqual({ error: 'AbortError' });
});
