import { createHash } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { adapter as ledger } from '../testing/ledgerAdapter.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';
import { resultLines, unpainted } from '../verify/resultLines.ts';
import { verifyApp } from '../verify/testing/verifyParley.ts';

const COUNTER = join(import.meta.dirname, '../testing/counterAdapter.ts');
const LEDGER = join(import.meta.dirname, '../testing/ledgerAdapter.ts');

/** Returns a module that exports the counter's adapter with other parts. */
const counterWith = (parts: string) =>
  `import { counterAdapter } from ${JSON.stringify(COUNTER)};\nexport default { ...counterAdapter, ${parts} };`;

/** Writes a capture of the counter, and a module with this text as its adapter. */
async function session(text = counterWith('')) {
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

test.each([
  ["throw new Error('not today\\nnor tomorrow');", 'throws when it is loaded: not today'],
  ['export const adapter: = 1;', /cannot be bundled: \[PARSE_ERROR\] .* at .*adapter\.ts:1:\d+\n$/],
])('refuses an adapter with the text %j in one line, with status 2', async (text, problem) => {
  const { capture, app } = await session(text);
  const { status, out, err } = await runTool('verify', capture, ...app);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^--app .*\n$/);
  expect(err).toMatch(problem);
});

test.each([
  [
    "reduce() { throw new RangeError('no'); }",
    /^(?:--app .*adapter\.ts: the adapter threw RangeError: no|unusable .*: the replayed code threw RangeError)\n$/,
  ],
  [
    'reduce: (state) => ({ ...state, when: new Date(0) })',
    /^.*state\.when is a Date; a state is plain data \(JSON\)\n$/,
  ],
])('reports the adapter with %s in one line, with status 2', async (parts, problem) => {
  const { capture, app, at } = await session(counterWith(parts));
  const devTools = ['export', '--to', 'redux-devtools', '-o', at('x.json')];
  for (const command of [['run'], ['stats', '--per-update'], devTools]) {
    const { status, err } = await runTool(...command, capture, ...app);
    expect([command, status, err]).toEqual([command, 2, expect.stringMatching(problem)]);
  }
});

const PANE = "pane: './pane.ts', redact: { codes: ['kind'] }";

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

test('report and verify --report-dir write the inspector with the adapter and its pane; redact keeps its codes', async () => {
  const { capture, at, app } = await session(counterWith(PANE));
  await writeFile(at('pane.ts'), "export const pane = (element) => { element.textContent = 'drawn'; };");
  expect((await runTool('report', capture, ...app, '-o', at('x.html'), '--redact')).status).toBe(0);
  await expectAppReport(at('x.html'));
  await runTool('verify', capture, ...app, '--update');
  await writeFile(at('adapter.ts'), counterWith(`${PANE}, reduce: (state) => ({ ...state, isOpen: false })`));
  expect((await runTool('verify', capture, ...app, '--report-dir', at('reports'))).status).toBe(1);
  const report = (await readdir(at('reports'))).find((name) => name.startsWith('differs'));
  expect(await expectAppReport(at(`reports/${report}`))).toContain('"update":1');
  const data = JSON.stringify({ kind: 'moved', who: 'ada', parts: [{ kind: 'Ada L' }] });
  await writeCapture(capture, [{ t: 0, type: 'recv', data }]);
  await runTool('redact', capture, '-o', at('r.parley.jsonl'), ...app);
  const [, line = ''] = (await readFile(at('r.parley.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(JSON.parse(line).data)).toEqual({
    kind: 'moved',
    who: 'text-0',
    parts: [{ kind: 'text-1' }],
  });
  await rm(at('pane.ts'));
  await writeFile(at('adapter.ts'), counterWith(PANE));
  const { status, out, err } = await runTool('open', capture, ...app);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain('its pane ./pane.ts cannot be bundled for a browser: [UNRESOLVED_ENTRY]');
});

const SESSION: readonly CaptureRecord[] = [
  { t: 10, type: 'launch' },
  { t: 20, type: 'recv', data: '+5' },
  { t: 21, type: 'recv', data: '+0' },
  { t: 22, type: 'recv', data: 'five' },
  { t: 23, type: 'recv', data: '+100' },
  { t: 500, type: 'action', action: { type: 'noted', payload: 'rent' } },
  { t: 600, type: 'action', action: { type: 'ended' } },
];

async function ledgerSession() {
  const at = await temporaryFolder();
  return { at, capture: await writeCapture(at('x.parley.jsonl'), SESSION) };
}

test('replays sessions that an app keeps in its own state, with the ticks of its queue, one after the other', async () => {
  const { at, capture } = await ledgerSession();
  const app = ['--app', LEDGER, '--json', '--with', 'state,display'];
  const { out, status } = await runTool('run', capture, ...app, '--hash');
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    app: 'ledger',
    frames: { received: 4, rejected: 1 },
    updates: { applied: 2, ignored: 1 },
    virtualMs: 150,
    hash: expect.stringMatching(/^sha256:/),
    state: { total: 105, note: 'rent' },
    display: '105 rent',
  });
  const next = await writeCapture(at('y.parley.jsonl'), [
    { t: 10, type: 'launch' },
    { t: 20, type: 'recv', data: '+7' },
  ]);
  const continued = await runTool('run', capture, '--then', next, ...app);
  expect(JSON.parse(continued.out)).toMatchObject({ capture: next, display: '7' });
});

test('its golden has the notification, the acts and the state after the end', async () => {
  const { at, capture } = await ledgerSession();
  expect(await verifyApp(capture, { app: ledger, update: true })).toMatchObject({ golden: 'new' });
  expect(JSON.parse(await readFile(at('x.golden.json'), 'utf8'))).toMatchObject({
    app: 'ledger',
    acts: [
      { at: 0, changes: { state: { total: 0, note: '' }, display: '0' } },
      { at: 500, changes: { 'state.note': 'rent', display: '105 rent' } },
    ],
    steps: [
      { tick: 60, kind: 'credit', changes: { 'state.total': 5, display: '5' } },
      { tick: 110, kind: 'none', effect: 'ignored' },
      { tick: 160, notification: { title: 'A large credit', body: '105' } },
    ],
    ended: { state: { total: 0 }, connection: { status: 'connected' } },
  });
  expect(await verifyApp(capture, { app: ledger })).toMatchObject({ outcome: 'same' });
});

test.each<[string, Pick<typeof ledger, 'reduce'>, string]>([
  [
    'mutates a state',
    {
      reduce(state, action) {
        if (action.type === 'noted') Object.assign(state, { note: 'x' });
        return ledger.reduce(state, action);
      },
    },
    'state before noted, before update 4, was mutated at state.note',
  ],
  [
    'loses an update',
    {
      reduce(state, action) {
        const next = ledger.reduce(state, action);
        return action.type === 'received' && next.queue.length === 2 ? state : next;
      },
    },
    'was lost: it is not at queue.waiting[1]',
  ],
])('names what is wrong with an app that %s', async (_, fault, problem) => {
  const { capture } = await ledgerSession();
  await verifyApp(capture, { app: ledger, update: true });
  const result = await verifyApp(capture, { app: { ...ledger, ...fault } });
  expect(result.outcome).toBe('differs');
  expect(resultLines(result, unpainted).join('\n')).toContain(problem);
});
