import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { SYNC_PART, SYNC_STATE } from '#shared/ipc/channels.ts';
import { STATE_REQUESTS } from '#shared/limits.ts';
import { ipcMain } from '#tests/builders/electron.ts';
import { openPage } from '#tests/builders/openPage.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { backlogReported } from '#shared/actions/sessionActions.ts';
import { reportBacklog } from './answerStateRequests.ts';
import { startMain } from '#tests/builders/startMain.ts';

/** The length of the texts that main answers in a burst, and of the state of a window. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  STATE_RATE: { burst: 40_000, perSecond: 20_000 },
  STATE_REQUEST_LENGTH: 20_000,
}));

/** Starts main's answers; `endTurn` runs what waits for the end of main's turn. */
async function start() {
  const main = await mainStore();
  const { answerStateRequests } = await import('./answerStateRequests.ts');
  const deferred: (() => void)[] = [];
  answerStateRequests({ ...main, log: main.kept.log, defer: (task) => void deferred.push(task) });
  const { webContents: sender } = openPage();
  const event = { sender, senderFrame: Reflect.get(sender, 'mainFrame') };
  const results: string[] = [];
  const request = (channel: string, ...args: unknown[]) =>
    void ipcMain
      .invoked(channel, event, args)
      .then(() => channel, String)
      .then((result) => results.push(result));
  return {
    ...main,
    request,
    endTurn: async () => {
      for (const task of deferred.splice(0)) task();
      await setImmediate();
    },
    answered: () => results.filter((one) => one === SYNC_STATE || one === SYNC_PART).length,
    refused: () => results.filter((one) => one.includes('too many requests')).length,
  };
}

test('answers one request of a window in each turn of main, and refuses those that no window of ours sends', async () => {
  const main = await start();
  for (let count = 0; count < 5000; count++) main.request(count % 2 === 0 ? SYNC_STATE : SYNC_PART, 1, 1);
  await setImmediate();
  expect([main.answered(), main.refused()]).toEqual([1, 5000 - 1 - STATE_REQUESTS]);
  await main.endTurn();
  expect(main.answered()).toBe(2);
});

test('answers what exceeds the rate later, and all of it', async () => {
  const main = await start();
  for (let count = 0; count <= STATE_REQUESTS; count++) main.request(SYNC_STATE);
  for (let turn = 0; turn < 2 * STATE_REQUESTS; turn++) await main.endTurn();
  expect(main.answered()).toBe(2);
  for (let second = 0; second < STATE_REQUESTS; second++) {
    main.clock.advance(1100);
    for (let turn = 0; turn < 3; turn++) await main.endTurn();
  }
  expect([main.answered(), main.refused()]).toEqual([STATE_REQUESTS + 1, 0]);
});

test('reports a backlog at once, then each second while it changes, and its end', async () => {
  const main = await startMain();
  main.launch();
  const { store, clock, listeners } = main;
  const first = clock.now();
  const reports: unknown[] = [];
  listeners.startListening({
    matcher: backlogReported.match,
    effect: ({ payload }) => void reports.push(`${clock.now() - first}: ${payload.updates}`),
  });
  reportBacklog(store, clock);
  for (let at = 0; at < 45; at++) main.receive(JSON.stringify({ name: `n${at}` }));
  clock.advance(10_000);
  expect(reports).toEqual(['0: 45', '1000: 36', '2000: 26', '3000: 0']);
  expect(store.getState().backlog).toEqual({ updates: 0 });
});
