import { writeFile } from 'node:fs/promises';
import { ActionCreators, instrument } from '@redux-devtools/instrument';
import { createStore } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import type { CaptureRecord, KnownRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { inLine } from '../testing/drawText.ts';
import { STARTED_AT, captureIn, captureOf, runTool, wholeCapture } from '../testing/files.ts';

const SESSION: readonly KnownRecord[] = [
  { t: 1, type: 'open' },
  { t: 12.4, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
  { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
  { t: 901.123, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
  { t: 5000, type: 'close', code: 1006, reason: '' },
  { t: 5500, type: 'open' },
  { t: 5501, type: 'recv', data: 'ünicode \u{1F600}' },
  { t: 6000, type: 'close', code: 1008, reason: 'unauthorized' },
];

async function roundTrip(records: readonly CaptureRecord[]) {
  const { at, path: capture } = await captureIn(records);
  const exported = await runTool('export', capture, '--to', 'har');
  await writeFile(at('a.har'), exported.out);
  expect(exported).toMatchObject({ status: 0, err: '' });
  const imported = await runTool('import', at('a.har'), '-o', at('b.parley.jsonl'));
  expect(imported).toMatchObject({ status: 0, err: '' });
  return { before: await wholeCapture(capture), after: await wholeCapture(at('b.parley.jsonl')) };
}

test('contract §7 export, contract §6 release: keeps the header, frames and times of an app’s first connection through export and import; opens and closes to the millisecond, and late releases, each before what was received at its time', async () => {
  const { before, after } = await roundTrip([
    ...SESSION.slice(0, 2),
    { t: 12.5, type: 'open', socket: 2 },
    { t: 12.6, type: 'recv', socket: 2, data: 'other' },
    { t: 12.7, type: 'http', id: 1, request: { method: 'GET', url: '/' } },
    ...SESSION.slice(2),
    { t: 7000, type: 'end' },
  ]);
  expect(before.records).toHaveLength(SESSION.length + 4);
  expect(after).toEqual({ ...before, records: SESSION });
  const late = await roundTrip([
    { t: 5230.125, type: 'launch' },
    { t: 5240, type: 'open' },
    { t: 5240, type: 'recv', data: '{"person":"Ada"}' },
    { t: 5580.125, type: 'release', update: 1, due: 100, tick: 300 },
    { t: 5580.125, type: 'recv', data: '{}' },
    { t: 6000.001, type: 'release', update: 2, due: 400, tick: 700 },
  ]);
  expect(late.after).toEqual(late.before);
});

test('writes an entry for each connection, with every number that Chrome’s importer needs', async () => {
  const capture = await captureOf(SESSION);
  const { log } = JSON.parse((await runTool('export', capture, '--to', 'har')).out);
  log.creator.version = typeof log.creator.version;
  const text = `${JSON.stringify(log, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot('testing/session.har.txt');
});

test('contract §7 export: Redux DevTools imports the actions in order and at their times', async () => {
  const capture = await captureOf([
    { t: 0, type: 'open' },
    recv(10, { person: 'Ada Lovelace', messages: [] }),
    recv(20, { text: 'too early' }),
    { t: 1000, type: 'action', action: { type: 'connection/confirmed' } },
    recv(1010, { modifier: 'ai', id: 'a', content: [{ category: 'text', text: 'one' }] }),
    { t: 1100, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
    recv(1210, { text: 'three' }),
    { t: 5000, type: 'close', code: 1001, reason: 'maintenance' },
  ]);
  const { out } = await runTool('export', capture, '--to', 'redux-devtools');
  const { liftedStore } = createStore((state: unknown = null) => state, instrument());
  liftedStore.dispatch(ActionCreators.importState(JSON.parse(out), true));
  const { actionsById, stagedActionIds, nextActionId } = liftedStore.getState();
  expect(nextActionId).toBe(stagedActionIds.length);
  const staged = stagedActionIds.flatMap((id) => actionsById[id] ?? []);
  const launchedAt = Date.parse(STARTED_AT);
  const lines = staged.map(({ timestamp, action }) => `${timestamp - launchedAt} ${inLine(action)}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('testing/devtools.txt');
});
