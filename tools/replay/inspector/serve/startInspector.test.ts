import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CaptureRecord } from '#shared/capture/format.ts';
import { openRawConnection } from '#tests/builders/openRawConnection.ts';
import { harMessage, harOf, harSocket, writeHar } from '../../read/testing/har.ts';
import { temporaryFolder, writeCapture } from '../../testing/files.ts';
import { PAGE_FILES, configIn, serveFor } from '../testing/serveFor.ts';
import { openCapture } from './openCapture.ts';

const recv: CaptureRecord = { t: 1, type: 'recv', data: '{"name":"Ada Lovelace"}' };

async function serveCapture(step?: number) {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [recv]);
  return { path, ...(await serveFor({ capture: await openCapture(path), step })) };
}

describe('contract §2: who may come in', () => {
  test('a token at its first use, brings the page and a cookie named for the port', async () => {
    const { entered, port } = await serveFor();
    expect(entered.status).toBe(200);
    expect(entered.text).toContain('<script src="inspector.js"></script>');
    expect(entered.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^parley-${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000$`),
      ),
    ]);
  });

  test('a token at its second use, refused without the cookie and harmless with it', async () => {
    const { inspector, ask, enter } = await serveFor();
    const { search } = new URL(inspector.invitation());
    expect((await ask(`/${search}`)).status).toBe(200);
    const again = await ask(`/${search}`);
    expect(again.status).toBe(403);
    expect(again.text).toContain('parley-replay open');
    expect((await enter(`/${search}`)).status).toBe(200);
  });

  test.each(['/', '/inspector.js', '/worker.js', '/style.css', '/capture', '/make-test', '/nothing'])(
    '%s, for the cookie and this very address only',
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
    '%s, refused with the cookie but without the page’s secret, which only the token brings',
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

  test.each(['let in', 'refused'])('%s, answered with what keeps it private', async (how) => {
    const { ask, enter } = await serveFor();
    const { headers } = await (how === 'refused' ? ask('/') : enter('/'));
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
    });
  });

  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/capture/../../package.json',
    '/..\\package.json',
    '//etc/passwd',
    '/inspector.js.map',
  ])('%s, nothing there', async (path) => {
    const { enter } = await serveCapture();
    const { status, text } = await enter(path);
    expect(status).toBe(404);
    expect(text).not.toContain('"name": "parley"');
  });
});

test('a connection on which a request was let in stays, and one with refused requests only is closed after 10 s', async () => {
  const { port, cookie } = await serveFor();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const known = openRawConnection(Number(port), { Cookie: cookie });
  const stranger = openRawConnection(Number(port), {});
  expect([await known.ask(), await stranger.ask()]).toEqual(['answered', 'answered']);
  vi.advanceTimersByTime(10_000);
  expect([await known.ask(), await stranger.ask()]).toEqual(['answered', 'closed']);
});

test('a page opened, it has its files and is told where the capture is', async () => {
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

test('no capture given, a page with nothing to show yet', async () => {
  const { enter } = await serveFor();
  expect(configIn((await enter('/')).text)).toMatchObject({ source: null });
  expect((await enter('/capture')).status).toBe(404);
});

test('a capture whose name is markup, it stays data', async () => {
  const at = await temporaryFolder();
  const name = '<script>alert(1)<!--.parley.jsonl';
  const capture = await openCapture(await writeCapture(at(name), [recv]));
  const { enter } = await serveFor({ capture });
  const { text } = await enter('/');
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<!--');
  expect(configIn(text)).toMatchObject({ source: { name } });
});

test('a capture asked for, the file byte for byte, as often as it is asked', async () => {
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

test('a gzipped capture, as it is', async () => {
  const at = await temporaryFolder();
  const zipped = gzipSync(await readFile(await writeCapture(at('x.parley.jsonl'), [recv])));
  await writeFile(at('x.parley.jsonl.gz'), zipped);
  const { enter } = await serveFor({ capture: await openCapture(at('x.parley.jsonl.gz')) });
  const { bytes, headers } = await enter('/capture');
  expect(bytes).toEqual(zipped);
  expect(headers).toMatchObject({ 'content-type': 'application/gzip' });
  expect(headers['content-encoding']).toBeUndefined();
});

test('a HAR, given as a capture', async () => {
  const { har } = await writeHar(harOf(harSocket([harMessage(1_763_629_200.5, '{"name":"Ada"}')])));
  const { enter } = await serveFor({ capture: await openCapture(har) });
  const [header = '', ...lines] = (await enter('/capture')).text.trim().split('\n');
  expect(JSON.parse(header)).toMatchObject({ format: 'parley-capture', version: 1 });
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ type: 'recv', data: '{"name":"Ada"}' }),
  );
});
