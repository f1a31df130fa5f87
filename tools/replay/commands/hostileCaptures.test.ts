import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/recv.ts';
import { runTool, temporaryFolder, wholeCapture, writeCapture } from '../testing/files.ts';

/** Every command with frames that are nested 6,000 levels deep or contain `__proto__`, and with times beyond any session. */
const DEEP = `{"modifier":"ai","x":${'['.repeat(6000)}${']'.repeat(6000)}}`;
const BEGINNING: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  recv(1, { person: 'Ada', messages: [{ id: '1', modifier: 'ai', content: [] }] }),
  { t: 2, type: 'recv', data: DEEP },
  { t: 3, type: 'recv', data: '{"modifier":"ai","__proto__":{"text":"x"}}' },
  { t: 4, type: 'recv', data: '['.repeat(1_000_000) },
  { t: 5, type: 'send', data: DEEP },
  { t: 6, type: 'recv', data: '{"text":"x","content":4294967295,"length":1e308}' },
];

async function setUp(last: readonly CaptureRecord[] = []) {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [...BEGINNING, ...last]);
  return { at, path };
}

async function rejectedIn(path: string): Promise<unknown> {
  const { out } = await runTool('run', path, '--json');
  return Object(JSON.parse(out)).frames.rejected;
}

describe('a capture with hostile frames', () => {
  test.each([
    ['run', ['--json', '--hash', '--with', 'conversation,notifications,state']],
    ['run', ['--engine', 'store', '--hash']],
    ['stats', []],
    ['stats', ['--json']],
  ])('%s %j continues and exits with 0', async (command, options) => {
    const { path } = await setUp();
    const { status, out, err } = await runTool(command, path, ...options);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/"rejected":\s*[34]|\b[34] rejected|tooDeep|nested too deep/);
  });

  test.each([
    ['report', ['-o'], 'x.html'],
    ['redact', ['-o'], 'y.parley.jsonl'],
    ['export', ['--to', 'har', '-o'], 'x.har'],
    ['export', ['--to', 'redux-devtools', '-o'], 'x.json'],
  ])('%s %j writes its file and exits with 0', async (command, options, file) => {
    const { at, path } = await setUp();
    expect(await runTool(command, path, ...options, at(file))).toMatchObject({ status: 0 });
    expect((await readFile(at(file))).length).toBeGreaterThan(100);
  });

  test('minimize finds the frame that is nested too deep, and the one with `__proto__`', async () => {
    const { at, path } = await setUp();
    const check = `! { grep -q '\\[\\[\\[' "$1" && grep -q __proto__ "$1"; } #`;
    const target = at('min.parley.jsonl');
    await writeFile(at('check.sh'), check);
    const minimized = await runTool('minimize', path, '--check', `sh ${at('check.sh')}`, '-o', target);
    expect(minimized).toMatchObject({ status: 0, err: '' });
    const { records } = await wholeCapture(target);
    expect(records).toContainEqual(BEGINNING[3]);
    expect(records).toHaveLength(2);
    expect(await rejectedIn(target)).toBeGreaterThan(0);
  });

  test('verify writes a golden and compares with it; diff finds no difference', async () => {
    const { at, path } = await setUp();
    expect(await runTool('verify', '--update', path)).toMatchObject({ status: 0 });
    expect(await runTool('verify', path)).toMatchObject({ status: 0 });
    expect(await runTool('redact', path, '-o', at('y.parley.jsonl'))).toMatchObject({ status: 0 });
    expect(await runTool('diff', path, path)).toMatchObject({ status: 0 });
    expect(await runTool('diff', path, at('y.parley.jsonl'))).toMatchObject({ status: 1 });
  });

  test('import reads them out of a HAR again', async () => {
    const { at, path } = await setUp();
    await runTool('export', path, '--to', 'har', '-o', at('x.har'));
    const imported = await runTool('import', at('x.har'), '-o', at('z.parley.jsonl'));
    expect(imported).toMatchObject({ status: 0 });
    expect(await rejectedIn(at('z.parley.jsonl'))).toBe(await rejectedIn(path));
  });

  test.each([
    ['another record', `{"t":7,"type":"other","x":${DEEP}}`],
    ['an action', `{"t":7,"type":"action","action":{"type":"x","payload":${DEEP}}}`],
  ])('%s that is nested too deep is an error that names the line', async (_, line) => {
    const { path } = await setUp();
    await writeFile(path, `${await readFile(path, 'utf8')}${line}\n`);
    for (const args of [['run'], ['stats'], ['serve'], ['minimize', '--check', 'false']]) {
      const { status, err } = await runTool(...args, path);
      expect(status).toBe(2);
      expect(err).toContain('is nested deeper than 200 levels');
    }
  });

  test('a HAR that is nested too deep is an error and no stack', async () => {
    const { at } = await setUp();
    await writeFile(
      at('deep.har'),
      `{"log":{"entries":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    );
    const { status, err } = await runTool('import', at('deep.har'), '-o', at('z.parley.jsonl'));
    expect(status).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('a capture whose times no session has', () => {
  test.each([1e12, Number.MAX_SAFE_INTEGER, 1e300, Number.MAX_VALUE])(
    'of %d ms is replayed and counted',
    async (t) => {
      const { path } = await setUp([recv(t, { text: 'late' })]);
      for (const command of ['run', 'stats'] as const)
        expect(await runTool(command, path)).toMatchObject({ status: 0 });
    },
  );
});
