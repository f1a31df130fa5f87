import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recv } from '#tests/builders/updateOf.ts';
import { openRawConnection } from '#tests/builders/openRawConnection.ts';
import { captureText } from '../model/testing/modelOf.ts';
import { reportHtml } from './captureReport.ts';
import { all, captureOf, runTool, temporaryFolder } from '../../testing/files.ts';
import { PAGE_FILES, configIn, serveFor } from '../testing/serveFor.ts';
import { openCapture } from './openCapture.ts';

const TRICKS = ['</script>', '<script>', '<!--', '</SCRIPT >'];

test('writes a script that contains markup without ending its element or changing its strings', async () => {
  const script = `globalThis.tricks = ${JSON.stringify(TRICKS)};`;
  const files = { script, style: 'p { color: red }', worker: script };
  const pieces = reportHtml({ files, name: 'x', capture: Readable.from(['AAEC']) });
  const html = (await all(pieces)).join('');
  expect(html.match(/<script/gi)).toHaveLength(4);
  expect(html.match(/<\/script/gi)).toHaveLength(4);
  expect(html).not.toContain('<!--');
  const inline = /<script>(?<text>.*)<\/script>/s.exec(html)?.groups?.text ?? '';
  const list = inline.slice('globalThis.tricks = '.length, -1);
  expect(JSON.parse(list.replaceAll(String.raw`\x3c`, String.raw`\u003c`))).toEqual(TRICKS);
  expect(html).toContain(`script-src 'sha256-${createHash('sha256').update(inline).digest('base64')}'`);
});

const SECRET = { modifier: 'ai', content: [{ category: 'text', text: 'a secret of Ada' }] };
const CAPTURE = captureText([recv(1, { person: 'Ada Lovelace', messages: [] }), recv(2, SECRET)]).trimEnd();

/** Starts an inspector in an empty folder. */
async function start() {
  const at = await temporaryFolder();
  const cwd = dirname(at('x'));
  const { enter, origin } = await serveFor({ cwd });
  const make = async (fields: object = {}, headers: Record<string, string> = { origin }) => {
    const body = JSON.stringify({ folder: 'tests', name: 'a', redact: false, capture: CAPTURE, ...fields });
    const sent = { 'content-type': 'application/json', ...headers };
    const { status, text } = await enter('/make-test', { method: 'POST', headers: sent, body });
    return { status, answer: text.startsWith('{') ? JSON.parse(text) : text };
  };
  return { at, cwd, make };
}

test.each([false, true])('writes a test that verify passes (redacted: %s)', async (redact) => {
  const { at, make } = await start();
  const made = await make({ redact });
  const files = [at('tests/a.parley.jsonl'), at('tests/a.golden.json')];
  expect(made).toEqual({ status: 200, answer: { files } });
  expect(await runTool('verify', at('tests'))).toMatchObject({ status: 0 });
  const written = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(written.join('').includes('Ada')).toBe(!redact);
});

test.each(['a.parley.jsonl', 'a.golden.json'])('does not overwrite an existing %s', async (name) => {
  const { at, make } = await start();
  await mkdir(at('tests'));
  await writeFile(at(`tests/${name}`), 'mine');
  const error = `${at(`tests/${name}`)}: already exists; choose another name`;
  expect(await make()).toEqual({ status: 400, answer: { error } });
  expect(await readFile(at(`tests/${name}`), 'utf8')).toBe('mine');
  expect(await readdir(at('tests'))).toEqual([name]);
});

test('writes nothing for a name that is no file name, for another site, or outside the folder of the inspector, also through links', async () => {
  const { at, cwd, make } = await start();
  const noName = 'the name takes letters, numbers, spaces and . _ -';
  for (const name of ['../a', '.a', ''])
    expect(await make({ name })).toEqual({ status: 400, answer: { error: noName } });
  expect((await make({}, { origin: 'https://parley.example' })).status).toBe(403);
  expect(await readdir(cwd)).toEqual([]);
  const elsewhere = await temporaryFolder();
  await symlink(elsewhere('.'), at('link'));
  await symlink(elsewhere('gone'), at('dangling'));
  for (const folder of ['..', '../x', 'a/../..', elsewhere('.'), elsewhere('new/x'), 'link', 'link/new']) {
    const error = `${resolve(cwd, folder)}: is outside ${cwd}, where the inspector was started; choose a folder inside it, or start \`open\` in another folder`;
    expect(await make({ folder })).toEqual({ status: 400, answer: { error } });
  }
  expect(await make({ folder: 'dangling' })).toMatchObject({ status: 400 });
  expect(await readdir(elsewhere('.'))).toEqual([]);
  await mkdir(at('real'));
  await symlink(at('real'), at('inside'));
  for (const folder of ['inside', '.', '..a/new', at('real/new')])
    expect(await make({ folder })).toMatchObject({ status: 200 });
});

const serveCapture = async () =>
  serveFor({ capture: await openCapture(await captureOf([recv(1, { name: 'Ada Lovelace' })])) });

test('contract §2: a token gives the page and a cookie that is named after the port, once', async () => {
  const { inspector, ask, enter, entered, port } = await serveFor();
  expect(entered.status).toBe(200);
  expect(entered.text).toContain('<script src="inspector.js"></script>');
  const cookie = `^parley-${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000$`;
  expect(entered.headers['set-cookie']).toEqual([expect.stringMatching(new RegExp(cookie))]);
  const { search } = new URL(inspector.invitation());
  expect((await ask(`/${search}`)).status).toBe(200);
  const again = await ask(`/${search}`);
  expect([again.status, again.text]).toEqual([403, expect.stringContaining('parley-replay open')]);
  expect((await enter(`/${search}`)).status).toBe(200);
  for (const { headers } of [await ask('/'), await enter('/')])
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
    });
});

test('contract §2: serves each path only with the cookie and at this exact address, and no file but its own', async () => {
  const { ask, enter, origin, port } = await serveCapture();
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await enter(path, { headers })).status;
  const served = ['/', '/inspector.js', '/worker.js', '/style.css', '/capture', '/make-test', '/nothing'];
  const others = ['https://parley.example', 'http://127.0.0.1:1', 'null'];
  const foreign = others.map((other) => ({ origin: other }));
  for (const path of served) {
    expect(await statusOf(path, { origin })).toBe({ '/make-test': 404, '/nothing': 404 }[path] ?? 200);
    expect((await ask(path)).status).toBe(403);
    const hosts = ['parley.example', `localhost:${port}`, '127.0.0.1:1'].map((host) => ({ host }));
    for (const headers of [{ cookie: `parley-${port}=wrong` }, ...hosts, ...foreign])
      expect([path, headers, await statusOf(path, headers)]).toEqual([path, headers, 403]);
  }
  const outside = ['/../package.json', '/..%2fpackage.json', '/%2e%2e/package.json', '/..\\package.json'];
  for (const path of [...outside, '//etc/passwd', '/inspector.js.map'])
    expect([path, (await enter(path)).status]).toEqual([path, 404]);
});

test('contract §2: rejects requests with the cookie but without the page’s secret, which only the token provides', async () => {
  const { enter, entered } = await serveCapture();
  for (const path of ['/capture', '/make-test', '/source-lines', '/nothing'])
    for (const authorization of ['', 'Bearer wrong', 'Bearer null']) {
      const { status, text } = await enter(path, { headers: { authorization } });
      expect([status, text]).toEqual([403, expect.stringContaining('parley-replay open')]);
    }
  expect((await enter('/')).text).not.toContain('parley-page-secret');
  expect(entered.text).toContain('<meta name="parley-page-secret"');
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

test('serves a page with its files and the address of the capture, whose name may contain markup, and a gzipped capture unchanged', async () => {
  const at = await temporaryFolder();
  const name = '<script>alert(1)<!--.parley.jsonl.gz';
  const zipped = gzipSync(captureText([recv(1, { name: 'Ada Lovelace' })]));
  await writeFile(at(name), zipped);
  const { enter } = await serveFor({ capture: await openCapture(at(name)), start: { step: 7 } });
  const { text } = await enter('/');
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('<!--');
  const source = { url: 'capture', name };
  expect(configIn(text)).toEqual({ worker: { url: 'worker.js' }, source, makeTest: true, step: 7 });
  const { bytes, headers } = await enter('/capture');
  expect(bytes).toEqual(zipped);
  expect(headers).toMatchObject({ 'content-type': 'application/gzip' });
  expect(headers['content-encoding']).toBeUndefined();
  expect((await enter('/inspector.js')).text).toBe(PAGE_FILES.script);
  expect((await enter('/worker.js')).text).toBe(PAGE_FILES.worker);
  expect((await enter('/style.css')).headers['content-type']).toBe('text/css; charset=utf-8');
});
