import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { rowsOf, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const LEDGER = join(import.meta.dirname, '../testing/ledgerAdapter.ts');

const SESSION: readonly CaptureRecord[] = [
  { t: 10, type: 'launch' },
  { t: 20, type: 'recv', data: '+5' },
  { t: 21, type: 'recv', data: '+0' },
  { t: 22, type: 'recv', data: 'five' },
  { t: 23, type: 'recv', data: '+100' },
  { t: 500, type: 'action', action: { type: 'noted', payload: 'rent' } },
  { t: 600, type: 'action', action: { type: 'ended' } },
];

async function captured(records = SESSION) {
  const at = await temporaryFolder();
  return { at, capture: await writeCapture(at('x.parley.jsonl'), records) };
}

test('runs a session that an app keeps in its own state, with the ticks of its queue', async () => {
  const { capture } = await captured();
  const { out, status } = await runTool(
    'run',
    capture,
    '--app',
    LEDGER,
    '--json',
    '--hash',
    '--with',
    'state,display',
  );
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
});

test('verifies it: its golden has the notification, the acts and the state after the end', async () => {
  const { at, capture } = await captured();
  expect(await runTool('verify', capture, '--app', LEDGER, '--update')).toMatchObject({ status: 0 });
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
  expect(await runTool('verify', capture, '--app', LEDGER)).toMatchObject({ status: 0 });
});

test.each([
  [
    'mutates a state',
    'reduce(state, action) { if (action.type === "noted") state.note = "x"; return adapter.reduce(state, action); }',
    'state before noted, before update 4, was mutated at state.note',
  ],
  [
    'loses an update',
    'reduce(state, action) { const next = adapter.reduce(state, action); return action.type === "received" && next.queue.length === 2 ? state : next; }',
    'was lost: it is not at queue.waiting[1]',
  ],
])('names what is wrong with an app that %s', async (_, part, problem) => {
  const { at, capture } = await captured();
  await runTool('verify', capture, '--app', LEDGER, '--update');
  await writeFile(
    at('faulty.ts'),
    `import { adapter as ledger } from ${JSON.stringify(LEDGER)};\nexport const adapter = { ...ledger, ${part.replaceAll('adapter.', 'ledger.')} };\n`,
  );
  const { out, status } = await runTool('verify', capture, '--app', at('faulty.ts'), '--values');
  expect(status).toBe(1);
  expect(out).toContain(problem);
});

test('continues with the next session of the same run of the program', async () => {
  const { at, capture } = await captured();
  const next = await writeCapture(at('y.parley.jsonl'), [
    { t: 10, type: 'launch' },
    { t: 20, type: 'recv', data: '+7' },
  ]);
  const { out } = await runTool(
    'run',
    capture,
    '--then',
    next,
    '--app',
    LEDGER,
    '--json',
    '--with',
    'display',
  );
  expect(JSON.parse(out)).toMatchObject({ capture: next, display: '7' });
});

test('compares two sessions, counts one, and exports its states', async () => {
  const { at, capture } = await captured();
  const other = await writeCapture(at('y.parley.jsonl'), SESSION.slice(0, -2));
  const diff = JSON.parse((await runTool('diff', capture, other, '--app', LEDGER, '--json')).out);
  expect(diff.state).toMatchObject([{ path: 'state.note', before: 'rent', after: '' }, { path: 'display' }]);
  const stats = await runTool('stats', capture, '--app', LEDGER, '--per-update');
  expect(rowsOf(stats.out)).toMatchObject([{ paths: ['total'] }, { paths: [] }, { paths: ['total'] }]);
  const lifted = JSON.parse(
    (await runTool('export', capture, '--app', LEDGER, '--to', 'redux-devtools')).out,
  );
  expect(lifted.computedStates.at(-1)).toEqual({ state: { total: 105, note: 'rent' } });
});

test('refuses an adapter whose state lacks what the tool reads, and the inspector for this kind of adapter', async () => {
  const { at, capture } = await captured();
  await writeFile(
    at('bad.ts'),
    `import { adapter as ledger } from ${JSON.stringify(LEDGER)};\nexport const adapter = { ...ledger, next: 3, initialState: { total: 0 } };\n`,
  );
  expect(await runTool('run', capture, '--app', at('bad.ts'))).toMatchObject({
    status: 2,
    err: `--app ${at('bad.ts')}: its adapter needs next (a function), initialState with counts, queue and connection\n`,
  });
  expect(await runTool('report', capture, '--app', LEDGER, '-o', at('x.html'))).toMatchObject({
    status: 2,
    err: `--app ${LEDGER}: the inspector shows adapters with \`decode\`, not those with \`take\`\n`,
  });
});
