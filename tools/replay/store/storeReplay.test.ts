import { expect, test } from 'vitest';
import { createEngine } from '../engine/createEngine.ts';
import { STARTED_AT } from '../testing/files.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { StoreAdapter } from './storeAdapter.ts';
import { replayedStore } from './storeSession.ts';
import { CHAT_RECORDS, globalTeamChat, teamChat } from './testing/teamChat.ts';

const header = { format: 'parley-capture', version: 2, startedAt: STARTED_AT, app: 'x 1' } as const;

/** Replays records with an adapter; returns its steps as `time kind`, and the last state. */
async function replay(adapter: StoreAdapter, records: readonly CaptureRecord[]) {
  const steps: string[] = [];
  const prepared = await replayedStore(adapter).prepare?.({ name: 'x', header, records });
  if (prepared === undefined) throw new Error('not prepared');
  const engine = createEngine(prepared.adapter, {
    onStep: ({ tick, kind, receivedAt, effect }) =>
      void steps.push(
        `${tick} ${kind}${tick === receivedAt ? '' : ` of ${receivedAt}`}${effect === 'ignored' ? ', ignored' : ''}`,
      ),
  });
  records.every(engine.take);
  const state = engine.finish();
  return {
    steps,
    state: prepared.adapter.ownState?.(state),
    counts: state.counts,
    warnings: prepared.warnings,
  };
}

const STATE = {
  posts: [
    { id: 'hello', user: 'u1', text: 'hello', seenAt: Date.parse(STARTED_AT) + 10 },
    { id: 'again', user: 'u1', text: 'again', seenAt: Date.parse(STARTED_AT) + 300 },
  ],
  names: { u1: 'Ada' },
  typing: [],
  read: 3,
};

test('replays a store with its middleware, thunks, timers and requests: each action is a step at its time', async () => {
  const { steps, state, counts, warnings } = await replay(teamChat(), CHAT_RECORDS);
  expect(steps).toEqual([
    '5 chat/typed',
    '10 chat/stopped',
    '10 chat/posted',
    '10 chat/loadName/pending, ignored',
    '40 chat/loadName/fulfilled of 10',
    '160 chat/readBatch of 60',
    '300 chat/stopped',
    '300 chat/posted',
    '410 chat/readBatch of 310',
  ]);
  expect(state).toEqual(STATE);
  expect(counts).toMatchObject({ received: 6, applied: 8, ignored: 1 });
  expect(warnings).toEqual([]);
});

test('gives an app that uses the platform directly virtual time with `globals`, without the enhancer', async () => {
  const { steps, state } = await replay(globalTeamChat(true), CHAT_RECORDS);
  expect(state).toEqual(STATE);
  expect(steps.map((step) => step.split(' ')[0])).toEqual([
    '5',
    '10',
    '10',
    '10',
    '40',
    '160',
    '300',
    '300',
    '410',
  ]);
});
