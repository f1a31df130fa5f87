import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { openRawConnection } from '#tests/builders/openRawConnection.ts';
import { harMessage, harOf, harSocket, writeHar } from '../../read/testing/har.ts';
import { temporaryFolder, writeCapture } from '../../testing/files.ts';
import { PAGE_FILES, configIn, serveFor } from '../testing/serveFor.ts';
import { openCapture } from './openCapture.ts';

const recv: CaptureRecord = { t: 1, type: 'recv', data: '{"name":"Ada Lovelace"}' };

async function serveCapture(step?: number) {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [recv]);
  return {
    path,
    ...(await serveFor({ capture: await openCapture(path), ...(step !== undefined && { start: { step } }) })),
  };
}

describe('contract §2: access', () => {
  test('answers the first use of a token with the page and a cookie that is named after the port', async () => {
    const { entered, port } = await serveFor();
    expect(entered.status).toBe(200);
    expect(entered.text).toContain('<script src="inspector.js"></script>');
    expect(entered.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^parley-${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000$`),
      ),
    ]);
  });

  test('rejects the second use of a token without the cookie, and allows it with the cookie', async () => {
    const { inspector, ask, enter } = await serveFor();
    const { search } = new URL(inspector.invitation());
    expect((await ask(`/${search}`)).status).toBe(200);
    const again = await ask(`/${search}`);
    expect(again.status).toBe(403);
    expect(again.text).toContain('parley-replay open');
    expect((await enter(`/${search}`)).status).toBe(200);
  });

  test.each(['/', '/inspector.js', '/worker.js', '/style.css', '/capture', '/make-test', '/nothing'])(
    'serves %s only with the cookie and at this exact address',
    async (path) => {
      const { ask, enter, origin, port } = await serveCapture();
      const expected = { '/make-test': 404, '/nothing': 404 }[path] ?? 200;
      expect((await enter(path, { headers: { origin } })).status).toBe(expected);
      expect((await ask(path)).status).toBe(403);
      expect((await ask(path, { headers: { cookie: `parley-${port}=wrong` } })).status).toBe(403);
      const foreign = [
        { host: 'parley.example' },
        { host: `localhost:${port}` },
        { host: '127.0.0.1:1' },
        { origin: 'https://parley.example' },
        { origin: 'http://127.0.0.1:1' },
        { origin: 'null' },
      ];
      const answers = await Promise.all(foreign.map((headers) => enter(path, { headers })));
      expect(answers.map(({ status }) => status)).toEqual(foreign.map(() => 403));
    },
  );

  test.each(['/capture', '/make-test', '/nothing'])(
    'rejects %s with the cookie but without the page’s secret, which only the token provides',
    async (path) => {
      const { enter } = await serveCapture();
      for (const authorization of ['', 'Bearer wrong', 'Bearer null']) {
        const { status, text } = await enter(path, { headers: { authorization } });
        expect([status, text]).toEqual([403, expect.stringContaining('parley-replay open')]);
      }
      const [one, other] = [await enter('/'), await serveFor()];
      expect(one.text).not.toContain('parley-page-secret');
      expect(other.entered.text).toContain('<meta name="parley-page-secret"');
    },
  );

  test.each(['let in', 'refused'])(
    'sends the headers that keep a response private when the request is %s',
    async (how) => {
      const { ask, enter } = await serveFor();
      const { headers } = await (how === 'refused' ? ask('/') : enter('/'));
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
      });
    },
  );

  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/capture/../../package.json',
    '/..\\package.json',
    '//etc/passwd',
    '/inspector.js.map',
  ])('answers 404 to %s', async (path) => {
    const { enter } = await serveCapture();
    const { status, text } = await enter(path);
    expect(status).toBe(404);
    expect(text).not.toContain('"name": "parley"');
  });
});

test('keeps a connection with an accepted request, and closes one with rejected requests only after 10 s', async () => {
  const { port, cookie } = await serveFor();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const known = openRawConnection(Number(port), { Cookie: cookie });
  const unknownClient = openRawConnection(Number(port), {});
  expect([await known.ask(), await unknownClient.ask()]).toEqual(['answered', 'answered']);
  vi.advanceTimersByTime(10_000);
  expect([await known.ask(), await unknownClient.ask()]).toEqual(['answered', 'closed']);
});

test('serves a page with its files and the address of the capture', async () => {
  const { enter } = await serveCapture(7);
  const page = await enter('/');
  expect(configIn(page.text)).toEqual({
    worker: { url: 'worker.js' },
    source: { url: 'capture', name: 'x.parley.jsonl' },
    makeTest: true,
    step: 7,
  });
  expect((await enter('/inspector.js')).text).toBe(PAGE_FILES.script);
  expect((await enter('/worker.js')).text).toBe(PAGE_FILES.worker);
  expect((await enter('/style.css')).headers['content-type']).toBe('text/css; charset=utf-8');
});

test('serves an empty page without a capture', async () => {
  const { enter } = await serveFor();
  expect(configIn((await enter('/')).text)).toMatchObject({ source: null });
  expect((await enter('/capture')).status).toBe(404);
});

test('escapes markup in the name of a capture', async () => {
  const at = await temporaryFolder();
  const name = '<script>alert(1)<!--.parley.jsonl';
  const capture = await openCapture(await writeCapture(at(name), [recv]));
  const { enter } = await serveFor({ capture });
  const { text } = await enter('/');
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<!--');
  expect(configIn(text)).toMatchObject({ source: { name } });
});

test('serves the bytes of the file on each request', async () => {
  const { path, enter } = await serveCapture();
  for (const _ of [1, 2]) {
    const { bytes, headers } = await enter('/capture');
    expect(bytes).toEqual(await readFile(path));
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-length': `${bytes.length}`,
    });
  }
});

test('serves a gzipped capture unchanged', async () => {
  const at = await temporaryFolder();
  const zipped = gzipSync(await readFile(await writeCapture(at('x.parley.jsonl'), [recv])));
  await writeFile(at('x.parley.jsonl.gz'), zipped);
  const { enter } = await serveFor({ capture: await openCapture(at('x.parley.jsonl.gz')) });
  const { bytes, headers } = await enter('/capture');
  expect(bytes).toEqual(zipped);
  expect(headers).toMatchObject({ 'content-type': 'application/gzip' });
  expect(headers['content-encoding']).toBeUndefined();
});

test('serves a HAR as a capture', async () => {
  const { har } = await writeHar(harOf(harSocket([harMessage(1_763_629_200.5, '{"name":"Ada"}')])));
  const { enter } = await serveFor({ capture: await openCapture(har) });
  const [header = '', ...lines] = (await enter('/capture')).text.trim().split('\n');
  expect(JSON.parse(header)).toMatchObject({ format: 'parley-capture', version: 2 });
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ type: 'recv', data: '{"name":"Ada"}' }),
  );
});
