import { expect, test } from 'vitest';
import { createUpload } from './createUpload.ts';

/** A server that accepts the requests for which `accept` returns `true`, and pauses that end when the test says so. */
function setUp(accept: (attempt: number) => boolean) {
  const requests: { readonly piece: string | null; readonly body: unknown; readonly keepalive: unknown }[] =
    [];
  const pauses: number[] = [];
  const upload = createUpload({
    url: 'https://x.test/captures?app=board',
    async fetch(input, { body, keepalive } = {}) {
      const address = new URL(String(input instanceof Request ? input.url : input));
      expect(address.searchParams.get('app')).toBe('board');
      requests.push({ piece: address.searchParams.get('piece'), body, keepalive });
      const accepted = accept(requests.length);
      if (!accepted && requests.length % 2 === 0) throw new TypeError('no connection');
      return new Response('', { status: accepted ? 200 : 503 });
    },
    pause(ms) {
      pauses.push(ms);
      return Promise.resolve();
    },
  });
  return { upload, requests, pauses };
}

test('sends lines together, in their order, and a long line alone', async () => {
  const { upload, requests } = setUp(() => true);
  const long = `{"t":3,"x":"${'x'.repeat(30_000)}"}\n`;
  for (const line of ['{"t":1}\n', '{"t":2}\n', long]) upload.take(line);
  await upload.flush();
  upload.take('{"t":4}\n');
  await upload.flush();
  expect(requests).toEqual([
    { piece: '0', body: '{"t":1}\n{"t":2}\n', keepalive: true },
    { piece: '1', body: long, keepalive: false },
    { piece: '2', body: '{"t":4}\n', keepalive: true },
  ]);
});

test('sends a piece again that was not accepted, and writes a gap for one that is given up', async () => {
  const { upload, requests, pauses } = setUp((attempt) => attempt === 3 || attempt > 8);
  upload.take('{"t":1}\n');
  await upload.flush();
  expect(requests.map(({ piece }) => piece)).toEqual(['0', '0', '0']);
  upload.take('{"t":2}\n');
  await upload.flush();
  upload.take('{"t":3}\n');
  await upload.flush();
  expect(requests.map(({ piece }) => piece).slice(3)).toEqual(['1', '1', '1', '1', '1', '2']);
  expect(requests.at(-1)?.body).toBe('{"t":3,"type":"gap","lost":1}\n{"t":3}\n');
  expect(pauses.filter((ms) => ms > 0)).toEqual(expect.arrayContaining([1000, 2000, 4000, 8000]));
});

test('loses the lines for which there is no room, and sends all that waits when the page closes', async () => {
  const { upload, requests } = setUp(() => true);
  const long = `{"t":1,"x":"${'x'.repeat(7_999_000)}"}\n`;
  upload.take(long);
  upload.take(long);
  upload.sendLast();
  upload.take('{"t":2}\n');
  upload.sendLast();
  await upload.flush();
  expect(requests.map(({ body }) => body)).toEqual([long, '{"t":2,"type":"gap","lost":1}\n{"t":2}\n']);
});
