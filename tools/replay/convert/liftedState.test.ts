import { ActionCreators, instrument } from '@redux-devtools/instrument';
import { createStore } from '@reduxjs/toolkit';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { CaptureRecord, KnownRecord } from '#shared/capture/captureFormat.ts';
import { STARTED_AT, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const frame = (t: number, update: object): KnownRecord => ({ t, type: 'recv', data: JSON.stringify(update) });
const item = (text: string) => ({ category: 'text', text });

const SESSION: readonly KnownRecord[] = [
  { t: 0, type: 'open' },
  frame(10, { person: 'Ada Lovelace', messages: [] }),
  frame(20, { text: 'too early' }),
  { t: 1000, type: 'action', action: { type: 'connection/confirmed' } },
  frame(1010, { modifier: 'ai', id: 'a', context: 'Parley', content: [item('one')] }),
  frame(1020, { category: 'text', text: 'two' }),
  { t: 1100, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
  frame(1200, { text: 'three' }),
  { t: 5000, type: 'close', code: 1001, reason: 'maintenance' },
];

const stateSchema = z.object({
  conversation: z.looseObject({}),
  connection: z.object({ status: z.string(), closedBecause: z.string().nullable() }),
});
type State = z.infer<typeof stateSchema>;

/** A store with Redux DevTools' own enhancer, which has imported the export of these records. */
async function importedInto(records: readonly CaptureRecord[]) {
  const path = await temporaryFolder();
  const capture = await writeCapture(path('a.parley.jsonl'), records);
  const { status, out, err } = await runTool('export', capture, '--to', 'redux-devtools');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const store = createStore((state: unknown = null) => state, instrument());
  const { liftedStore } = store;
  liftedStore.dispatch(ActionCreators.importState(JSON.parse(out), true));
  return { store, liftedStore, state: (): State => stateSchema.parse(store.getState()) };
}

test('contains the actions in order and at their times', async () => {
  const { liftedStore } = await importedInto(SESSION);
  const { actionsById, stagedActionIds, nextActionId } = liftedStore.getState();
  const launchedAt = Date.parse(STARTED_AT);
  expect(nextActionId).toBe(stagedActionIds.length);
  expect(
    stagedActionIds.map((id) => [
      (actionsById[id]?.timestamp ?? Number.NaN) - launchedAt,
      actionsById[id]?.action.type,
    ]),
  ).toEqual([
    [0, '@@INIT'],
    [0, 'connection/opened'],
    [100, 'update/applied'],
    [200, 'update/ignored'],
    [1000, 'connection/confirmed'],
    [1100, 'update/applied'],
    [1100, 'message/sent'],
    [1200, 'update/applied'],
    [1300, 'update/applied'],
    [5000, 'connection/closed'],
  ]);
});
