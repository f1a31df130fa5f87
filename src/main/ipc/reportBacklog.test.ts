import { expect, test } from 'vitest';
import { backlogReported } from '#shared/actions/sessionActions.ts';
import { signedInMessenger, waitForState } from '#tests/builders/messengerAt.ts';
import { reportBacklog } from './answerStateRequests.ts';

async function reportedMessenger() {
  const session = await signedInMessenger();
  const { store, clock, listeners } = session;
  const reports: { readonly at: number; readonly updates: number }[] = [];
  listeners.startListening({
    matcher: backlogReported.match,
    effect: ({ payload }) => void reports.push({ at: clock.now(), ...payload }),
  });
  const stop = reportBacklog(store, clock);
  const receive = async (count: number) => {
    const { length } = store.getState().queue;
    for (let i = 0; i < count; i++) session.socket.send({ name: `n${i}` });
    await waitForState(store, ({ queue }) => queue.length === length + count);
  };
  return { ...session, reports, receive, stop };
}

test('reports a backlog at once, then each second while it changes, and its end', async () => {
  const { clock, reports, receive, store } = await reportedMessenger();
  await receive(45);
  clock.advance(0);
  const first = clock.now();
  clock.advance(10_000);
  expect(reports.map(({ at, updates }) => [at - first, updates])).toEqual([
    [0, 45],
    [1000, 36],
    [2000, 26],
    [3000, 0],
  ]);
  expect(store.getState().backlog).toEqual({ updates: 0 });
});

test('does not report a queue that takes less than 2 s', async () => {
  const { clock, reports, receive } = await reportedMessenger();
  await receive(19);
  clock.advance(5000);
  expect(reports).toEqual([]);
});

test('forgets the backlog of a session that has ended', async () => {
  const { clock, receive, store, messenger } = await reportedMessenger();
  await receive(30);
  clock.advance(0);
  expect(store.getState().backlog.updates).toBe(30);
  await messenger.signOut();
  expect(store.getState().backlog.updates).toBe(0);
});
