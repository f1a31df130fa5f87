import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { replayedApp } from '../../adapter/checkAdapter.ts';
import type { AppAdapter } from '../../engine/appAdapter.ts';
import { counterAdapter } from '../../testing/counterAdapter.ts';
import { runTool, temporaryFolder } from '../../testing/files.ts';
import { serveFor } from '../testing/serveFor.ts';

const HEADER =
  '{"format":"parley-capture","version":1,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}\n';
const message = { modifier: 'ai', content: [{ category: 'text', text: 'a secret of Ada' }] };
const CAPTURE = [
  HEADER,
  JSON.stringify({ t: 1, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' }),
  JSON.stringify({ t: 2, type: 'recv', data: JSON.stringify(message) }),
].join('\n');

/** Starts an inspector in an empty folder. */
async function start(adapter?: AppAdapter) {
  const at = await temporaryFolder();
  const cwd = dirname(at('x'));
  const { enter, ask, origin, cookie } = await serveFor({
    cwd,
    ...(adapter && { app: replayedApp(adapter) }),
  });
  const make = async (fields: object = {}, headers: Record<string, string> = { origin }) => {
    const body = JSON.stringify({ folder: 'tests', name: 'a', redact: false, capture: CAPTURE, ...fields });
    return enter('/make-test', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  };
  return { at, cwd, make, ask, cookie };
}

test.each([false, true])('writes a test that verify passes (redacted: %s)', async (redact) => {
  const { at, make } = await start();
  const { status, text } = await make({ redact });
  const files = [at('tests/a.parley.jsonl'), at('tests/a.golden.json')];
  expect({ status, answer: JSON.parse(text) }).toEqual({ status: 200, answer: { files } });
  expect(await runTool('verify', at('tests'))).toMatchObject({ status: 0 });
  const written = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(written.join('').includes('Ada')).toBe(!redact);
});

test('writes a test that fails when the app computes a different result', async () => {
  const { at, make } = await start();
  await make();
  await writeFile(at('tests/a.parley.jsonl'), CAPTURE.replace('a secret', 'no secret'));
  expect(await runTool('verify', at('tests'))).toMatchObject({ status: 1 });
});

test.each([
  ['../a', 'a name that leads to another folder'],
  ['a/b', 'a folder in the name'],
  ['a\\b', 'a folder with the separator of Windows'],
  ['/a', 'an absolute path'],
  ['.a', 'a hidden file'],
  ['', 'no name'],
  ['a\n', 'a line break'],
])('rejects the name %j (%s) and writes nothing', async (name) => {
  const { cwd, make } = await start();
  const { status, text } = await make({ name });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({ error: 'the name takes letters, numbers, spaces and . _ -' });
  expect(await readdir(cwd)).toEqual([]);
});

test.each(['a.parley.jsonl', 'a.golden.json'])('does not overwrite an existing %s', async (name) => {
  const { at, make } = await start();
  await mkdir(at('tests'));
  await writeFile(at(`tests/${name}`), 'mine');
  const { status, text } = await make();
  const error = `${at(`tests/${name}`)}: already exists; choose another name`;
  expect({ status, answer: JSON.parse(text) }).toEqual({ status: 400, answer: { error } });
  expect(await readFile(at(`tests/${name}`), 'utf8')).toBe('mine');
  expect(await readdir(at('tests'))).toEqual([name]);
});

test('writes a test of another app, redacted with the codes of its adapter', async () => {
  const { at, make } = await start({ ...counterAdapter, redact: { codes: ['kind'] } });
  const data = JSON.stringify({ kind: 'moved', who: 'Ada' });
  const { status } = await make({
    capture: `${HEADER}${JSON.stringify({ t: 1, type: 'recv', data })}\n`,
    redact: true,
  });
  expect(status).toBe(200);
  expect(await readFile(at('tests/a.parley.jsonl'), 'utf8')).toContain(
    String.raw`{\"kind\":\"moved\",\"who\":\"text-0\"}`,
  );
  expect(JSON.parse(await readFile(at('tests/a.golden.json'), 'utf8'))).toMatchObject({ app: 'counter' });
});

test('rejects an invalid capture, names the line and writes nothing', async () => {
  const { at, make } = await start();
  const { status, text } = await make({ capture: `${HEADER}{"t":1}\n{"t":2,"type":"open"}\n` });
  expect({ status, answer: JSON.parse(text) }).toEqual({
    status: 400,
    answer: { error: 'a.parley.jsonl:2: has no `type`' },
  });
  expect(await readdir(at('tests'))).toEqual([]);
});

test('rejects a folder that is a file, with a message of one line', async () => {
  const { at, make } = await start();
  await writeFile(at('tests'), '');
  const { status, text } = await make();
  expect(status).toBe(400);
  expect(text).toContain(at('tests'));
});

test('stays inside the folder in which the inspector was started, also through links', async () => {
  const { at, cwd, make } = await start();
  const elsewhere = await temporaryFolder();
  await symlink(elsewhere('.'), at('link'));
  await symlink(elsewhere('gone'), at('dangling'));
  for (const folder of ['..', '../x', 'a/../..', elsewhere('.'), elsewhere('new/x'), 'link', 'link/new']) {
    const { status, text } = await make({ folder });
    const error = `${resolve(cwd, folder)}: is outside ${cwd}, where the inspector was started; choose a folder inside it, or start \`open\` in another folder`;
    expect({ status, answer: JSON.parse(text) }).toEqual({ status: 400, answer: { error } });
  }
  expect(await make({ folder: 'dangling' })).toMatchObject({ status: 400 });
  expect(await readdir(elsewhere('.'))).toEqual([]);
  await mkdir(at('real'));
  await symlink(at('real'), at('inside'));
  for (const folder of ['inside', '.', '..a/new', at('real/new')])
    expect(await make({ folder })).toMatchObject({ status: 200 });
});

test.each([{ capture: 1 }, { folder: '' }, { more: true }, { redact: 'yes' }])(
  'rejects %j',
  async (fields) => {
    const { cwd, make } = await start();
    expect((await make(fields)).status).toBe(400);
    expect(await readdir(cwd)).toEqual([]);
  },
);

test('answers 403 to a request of another site', async () => {
  const { cwd, make } = await start();
  expect((await make({}, { origin: 'https://parley.example' })).status).toBe(403);
  expect(await readdir(cwd)).toEqual([]);
});
