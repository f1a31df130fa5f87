import { createHash } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOf, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

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

test('reports an adapter that throws during run, stats or diff in one line, with status 2', async () => {
  const { capture, app, at } = await session(
    `import { counterAdapter } from ${JSON.stringify(COUNTER)};
    export default { ...counterAdapter, reduce() { throw new RangeError('no'); } };`,
  );
  for (const command of [['run'], ['stats'], ['diff', '--to', '1']])
    expect(await runTool(...command, capture, ...app)).toMatchObject({
      status: 2,
      out: '',
      err: `--app ${at('adapter.ts')}: the adapter threw RangeError: no\n`,
    });
});

test('reports a state that is not plain data in one line, with its path, with status 2', async () => {
  const { capture, app, at } = await session(
    `import { counterAdapter } from ${JSON.stringify(COUNTER)};
    const reduce = (state, update) => ({ ...counterAdapter.reduce(state, update), when: new Date(0) });
    const reduceAction = (state, { type }) => ({ totals: state.totals, isOpen: type === 'connection/opened' });
    export default { ...counterAdapter, reduce, reduceAction };`,
  );
  for (const [command, ...options] of [
    ['run'],
    ['stats'],
    ['diff', '--to', '1'],
    ['stats', '--per-update'],
    ['export', '--to', 'redux-devtools', '-o', at('x.json')],
  ] as const) {
    const { status, err } = await runTool(command, capture, ...app, ...options);
    expect({ command, status }).toEqual({ command, status: 2 });
    expect(err).toMatch(/^.*state\.when is a Date; a state is plain data \(JSON\)\n$/);
  }
});

test('refuses the options of Parley’s sessions in one line, with status 2', async () => {
  const { capture, app } = await session();
  for (const [options, problem] of [
    [['verify', capture, '--engine', 'fold'], '--engine selects an engine of Parley'],
    [['run', capture, '--with', 'conversation'], '--with conversation: with --app, there are state, display'],
  ] as const) {
    const { status, out, err } = await runTool(...options, ...app);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^.*\n$/);
    expect(err).toContain(problem);
  }
});

test('prints a row for each update of another app; what only Parley has is null', async () => {
  const { capture, app } = await session();
  const { status, out } = await runTool('stats', '--per-update', '--format', 'ndjson', capture, ...app);
  expect(status).toBe(0);
  const common = { capture, waited_ms: 0, messages: null, connection: 'connected' };
  expect(rowsOf(out)).toEqual([
    {
      ...common,
      update: 1,
      tick_ms: 1000,
      kind: 'apples',
      effect: 'applied',
      bytes: 8,
      paths: ['totals.apples'],
    },
    { ...common, update: 2, tick_ms: 2000, kind: 'pears', effect: 'ignored', bytes: 7, paths: [] },
  ]);
});

test('prints the statistics of another app, with its kinds and reasons, without what only Parley has', async () => {
  const { capture, app } = await session();
  const { out } = await runTool('stats', capture, ...app, '--json');
  expect(JSON.parse(out)).toMatchObject({
    durationMs: 3000,
    frames: { received: { count: 3 }, dropped: null, rejected: { 'no amount': 1 } },
    kinds: { received: { apples: 1, pears: 1 }, sent: null },
    updates: { applied: 1, ignored: 1 },
    acts: {},
    windows: null,
    queue: { max: 1, delayMs: { max: 0 } },
  });
  const text = (await runTool('stats', capture, ...app)).out;
  expect(text).toContain('  kinds         1 apples, 1 pears\n');
  expect(text).not.toMatch(/windows|categories|dropped/);
});

test('compares two captures of another app, and two points of one', async () => {
  const { capture, app, at } = await session();
  const other = await writeCapture(at('y.parley.jsonl'), [{ t: 1000, type: 'recv', data: 'apples 3' }]);
  const { status, out } = await runTool('diff', capture, other, ...app, '--json');
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    frame: { number: 1 },
    state: expect.arrayContaining([
      { path: 'state.totals.apples', before: 2, after: 3 },
      { path: 'display.text[0]', before: 'apples: 2', after: 'apples: 3' },
      { path: 'connection.status', before: 'connected', after: 'disconnected' },
    ]),
  });
  expect(await runTool('diff', capture, capture, ...app)).toMatchObject({ status: 0 });
  expect(JSON.parse((await runTool('diff', capture, ...app, '--to', '1', '--json')).out)).toEqual({
    capture,
    from: 0,
    to: 1,
    state: [
      { path: 'state.totals.apples', after: 2 },
      { path: 'state.isOpen', before: false, after: true },
      { path: 'display.text[0]', after: 'apples: 2' },
    ],
  });
});

test('exports a session of another app for Redux DevTools, with each state after each action', async () => {
  const { capture, app } = await session();
  const { status, out } = await runTool('export', capture, ...app, '--to', 'redux-devtools');
  expect(status).toBe(0);
  const { actionsById, computedStates } = JSON.parse(out);
  const actions = Object.values<{ action: unknown }>(actionsById).map(({ action }) => action);
  expect(actions).toEqual([
    { type: '@@INIT' },
    { type: 'connection/opened' },
    { type: 'apples', payload: ['apples', 2] },
    { type: 'pears', payload: ['pears', 0] },
  ]);
  expect(computedStates.map(({ state }: { state: unknown }) => state)).toEqual([
    { totals: {}, isOpen: false },
    { totals: {}, isOpen: true },
    { totals: { apples: 2 }, isOpen: true },
    { totals: { apples: 2 }, isOpen: true },
  ]);
  const actionOf = `update: { type: 'x/added' } }), kind: () => 'added', reduce: (state) => state`;
  const other = await session(
    `import { counterAdapter } from ${JSON.stringify(COUNTER)};
    export const adapter = { ...counterAdapter, decode: () => ({ ${actionOf} };`,
  );
  expect((await runTool('export', other.capture, ...other.app, '--to', 'redux-devtools')).out).toContain(
    '"action":{"type":"x/added"}',
  );
  expect((await runTool('export', capture, ...app, '--to', 'har')).err).toBe(
    '--app is for --to redux-devtools\n',
  );
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

/** Writes a pane beside the adapter, and returns the options that use it. */
async function withPane(at: (name: string) => string) {
  await writeFile(at('pane.ts'), "export const pane = (element) => { element.textContent = 'drawn'; };");
  await writeFile(
    at('adapter.ts'),
    `import { counterAdapter } from ${JSON.stringify(COUNTER)};
    export const adapter = { ...counterAdapter, pane: './pane.ts' };`,
  );
  return ['--app', at('adapter.ts')];
}

/** Checks that a file is the inspector with an adapter and its pane, whose scripts the policy allows by their hashes. */
async function expectAppReport(path: string) {
  const html = await readFile(path, 'utf8');
  const [, allowed = ''] = /script-src ([^;]*);/.exec(html) ?? [];
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  expect(allowed).toBe(hashes.join(' '));
  expect(scripts[0]).toContain('element.textContent = "drawn"');
  expect(html).toContain('name: "counter"');
  return html;
}

test('report writes one file with the adapter and its pane, and redacts with the codes of the adapter', async () => {
  const { capture, at } = await session();
  const app = await withPane(at);
  expect(await runTool('report', capture, ...app, '-o', at('x.html'), '--redact')).toMatchObject({
    status: 0,
  });
  await expectAppReport(at('x.html'));
});

test('verify --report-dir writes the inspector of the app for a failure', async () => {
  const { capture, at } = await session();
  const app = await withPane(at);
  await runTool('verify', capture, ...app, '--update');
  const text = await readFile(at('adapter.ts'), 'utf8');
  await writeFile(
    at('adapter.ts'),
    text.replace('pane:', 'reduce: (state) => ({ ...state, isOpen: false }), pane:'),
  );
  expect(await runTool('verify', capture, ...app, '--report-dir', at('reports'))).toMatchObject({
    status: 1,
  });
  const report = (await readdir(at('reports'))).find((name) => name.startsWith('differs'));
  expect(await expectAppReport(at(`reports/${report}`))).toContain('"update":1');
});

test('open refuses a pane that is missing, and an adapter that cannot run in a browser, in one line', async () => {
  const { capture, at, app } = await session();
  await withPane(at);
  await rm(at('pane.ts'));
  for (const [text, problem] of [
    [undefined, 'its pane ./pane.ts cannot be bundled for a browser: [UNRESOLVED_ENTRY]'],
    [
      "import 'node:fs'; export * from './counter.ts';",
      "cannot be bundled for a browser: [UNRESOLVED_IMPORT] Could not resolve 'node:fs'",
    ],
  ] as const) {
    if (text !== undefined) await writeFile(at('adapter.ts'), text);
    await writeFile(
      at('counter.ts'),
      `export { counterAdapter as adapter } from ${JSON.stringify(COUNTER)};`,
    );
    const { status, out, err } = await runTool('open', capture, ...app);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^--app .*\n$/);
    expect(err).toContain(problem);
  }
});
