import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const COUNTER = join(import.meta.dirname, '../testing/counterAdapter.ts');

/** Writes a capture of the counter, and a module with this text as its adapter. */
async function session(text = `export { counterAdapter as adapter } from ${JSON.stringify(COUNTER)};`) {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), [
    { t: 0, type: 'open' },
    { t: 1000, type: 'recv', data: 'apples 2' },
    { t: 2000, type: 'recv', data: 'pears 0' },
    { t: 3000, type: 'recv', data: 'pears \u001b[2J' },
  ]);
  await writeFile(at('adapter.ts'), text);
  return { at, capture, app: ['--app', at('adapter.ts')] };
}

test('runs a capture of another app, and prints the state and the display', async () => {
  const { capture, app } = await session();
  const { status, out } = await runTool(
    'run',
    capture,
    ...app,
    '--json',
    '--hash',
    '--with',
    'state,display',
  );
  expect(status).toBe(0);
  expect(JSON.parse(out)).toEqual({
    capture,
    app: 'counter',
    frames: { received: 3, sent: 0, rejected: 1 },
    updates: { applied: 1, ignored: 1 },
    virtualMs: 2000,
    wallMs: expect.any(Number),
    hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    state: { totals: { apples: 2 }, isOpen: true },
    display: { text: ['apples: 2'] },
  });
  const text = (
    await runTool('run', capture, ...app, '--until', '1', '--speed', '100000', '--with', 'display')
  ).out;
  expect(text).toContain('0:01.000  apples        ["apples",2]\n');
  expect(text).toContain('display\n  {\n    "text": [\n      "apples: 2"\n');
});

test.each([
  ['export const name = 1;', 'exports no adapter: neither `adapter` nor a default export'],
  ["throw new Error('not today\\nnor tomorrow');", 'throws when it is loaded: not today'],
  ['export const adapter: = 1;', /cannot be bundled: \[PARSE_ERROR\] .* at .*adapter\.ts:1:\d+\n$/],
  ["import './gone.ts';", 'cannot be bundled: [UNRESOLVED_IMPORT]'],
  ["import 'not-a-package';", 'cannot be bundled: [UNRESOLVED_IMPORT]'],
])('refuses an adapter with the text %j in one line, with status 2', async (text, problem) => {
  const { capture, app } = await session(text);
  for (const command of ['run', 'verify']) {
    const { status, out, err } = await runTool(command, capture, ...app);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^--app .*\n$/);
    expect(err).toMatch(problem);
  }
});

test('reports an adapter that throws during run in one line, with status 2', async () => {
  const { capture, app, at } = await session(
    `import { counterAdapter } from ${JSON.stringify(COUNTER)};
    export default { ...counterAdapter, reduce() { throw new RangeError('no'); } };`,
  );
  expect(await runTool('run', capture, ...app)).toMatchObject({
    status: 2,
    out: '',
    err: `--app ${at('adapter.ts')}: the adapter threw RangeError: no\n`,
  });
});

test('refuses the options of Parley’s sessions in one line, with status 2', async () => {
  const { capture, app } = await session();
  for (const [options, problem] of [
    [['verify', capture, '--engine', 'fold'], '--engine selects an engine of Parley'],
    [['verify', capture, '--report-dir', 'x'], '--report-dir writes pages of the inspector'],
    [['open', capture], '--app: the inspector shows sessions of Parley only'],
    [['report', capture, '-o', 'x'], '--app: the inspector shows sessions of Parley only'],
    [['run', capture, '--with', 'conversation'], '--with conversation: with --app, there are state, display'],
  ] as const) {
    const { status, out, err } = await runTool(...options, ...app);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^.*\n$/);
    expect(err).toContain(problem);
  }
});

test('redacts with the codes of the adapter', async () => {
  const { capture, app, at } = await session(
    `import { counterAdapter } from ${JSON.stringify(COUNTER)};
    export const adapter = { ...counterAdapter, redact: { codes: ['kind'] } };`,
  );
  await writeCapture(capture, [
    { t: 0, type: 'recv', data: JSON.stringify({ kind: 'moved', who: 'ada', parts: [{ kind: 'Ada L' }] }) },
  ]);
  await runTool('redact', capture, '-o', at('r.parley.jsonl'), ...app);
  const [, line = ''] = (await readFile(at('r.parley.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(JSON.parse(line).data)).toEqual({
    kind: 'moved',
    who: 'text-0',
    parts: [{ kind: 'text-1' }],
  });
});

test('listens for signals before it loads the adapter, so that none ends verify or coverage with status 0', async () => {
  const { capture, app } = await session("throw new Error(`${process.listenerCount('SIGTERM')} listeners`);");
  for (const command of ['verify', 'coverage']) {
    const before = process.listenerCount('SIGTERM');
    const { err } = await runTool(command, capture, ...app);
    const [, listeners] = /(\d+) listeners/.exec(err) ?? [];
    expect(Number(listeners)).toBeGreaterThan(before);
  }
});
