import { setImmediate } from 'node:timers/promises';
import { sharedPart } from '#shared/store/rootReducer.ts';
import { expect, test, vi } from 'vitest';
import { SYNC_ACTION, SYNC_PART, SYNC_STATE, SYNC_STATE_BLOCKING } from '#shared/ipc/channels.ts';
import { HEARTBEAT_MS, STATE_REQUESTS, WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import * as session from '#shared/actions/sessionActions.ts';
import { messageDropped, messageSent, signedIn, signedOut } from '#shared/actions/mainActions.ts';
import { ipcMain } from '#tests/builders/electron.ts';
import { openPage, openTestWindow } from '#tests/builders/openPage.ts';
import { startMain } from '#tests/builders/startMain.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { reportBacklog } from '../ipc/answerStateRequests.ts';

/** The length of the texts that main answers in a burst, and of the state of a window. */
vi.mock('#shared/limits.ts', async (original) => ({
  ...(await original<object>()),
  STATE_RATE: { burst: 40_000, perSecond: 20_000 },
  STATE_REQUEST_LENGTH: 20_000,
}));

async function startWithWindow() {
  const main = await startMain({ keepsModules: true });
  main.launch();
  const window = openTestWindow();
  await window.page.deliver();
  return { main, window };
}

test('gives a new window main’s shared state and nothing else', async () => {
  const main = await startMain();
  main.launch();
  main.store.dispatch(signedIn({ id: 'secret-account', platform: 'here' }));
  main.receiveUpdate({ person: 'Ada', messages: [{ id: '1', modifier: 'ai' }] });
  main.receive('{"name":"secret-waiting"}');
  const { page, store } = openTestWindow();
  await page.deliver();
  expect(sharedPart(store.getState())).toEqual(main.shared());
  const answer = page.ipcRenderer.invoke(SYNC_STATE);
  await page.deliver();
  const { state } = Object(JSON.parse(String(await answer)));
  expect(Object.keys(Object(state)).sort().join(' ')).toBe(
    'appliedUpdates arrivals audio backlog connection conversation notices preferences sequence timesOfDay wasConnected words',
  );
  expect(await answer).not.toContain('secret');
});

test('contract §4 synchronisation: ignores actions and blocking requests from a window, and refuses the state to a page of another origin, or in no window of ours', async () => {
  const { main, window } = await startWithWindow();
  main.receiveUpdate({ person: 'Ada' });
  const before = main.store.getState();
  window.page.ipcRenderer.send(SYNC_ACTION, session.sessionEnded());
  window.page.ipcRenderer.send(SYNC_STATE_BLOCKING);
  await window.page.deliver();
  expect(main.store.getState()).toBe(before);
  expect(ipcMain.listenerCount(SYNC_ACTION) + ipcMain.listenerCount(SYNC_STATE_BLOCKING)).toBe(0);
  for (const options of [{ isOurs: false }, { url: 'https://example.org/' }, { url: 'parley://other/' }]) {
    const page = openPage(options);
    const [answer] = await Promise.allSettled([page.ipcRenderer.invoke(SYNC_STATE), page.deliver()]);
    expect(String(Object(answer).reason)).toContain('not a window of Parley');
  }
});

test('contract §4 synchronisation: forwards no action to an excluded window, which receives its other messages, and no local action to any, for which it uses no number', async () => {
  const { main, window } = await startWithWindow();
  const { sequence } = main.store.getState();
  main.store.dispatch(signedIn({ id: 'secret', platform: 'here' }));
  main.store.dispatch(signedOut());
  main.store.dispatch(messageSent({ category: 'text' }));
  main.store.dispatch(messageDropped({ category: 'text' }));
  main.receive('no JSON');
  main.receiveUpdate({ text: 'ignored, for there is no message' });
  await main.persistor.flush();
  expect(main.store.getState().sequence).toBe(sequence);
  const { excludeWindow } = await import('../window/messengerWindows.ts');
  const excluded = openPage();
  excludeWindow(Object(excluded));
  main.receiveUpdate({ person: 'Ada' });
  main.clock.advance(HEARTBEAT_MS);
  excluded.webContents.send('another channel', 1);
  await window.page.deliver();
  const actions = window.page.sent.filter(([channel]) => channel === SYNC_ACTION);
  expect(actions.map(([, action]) => Object(action).type)).toEqual([
    'update/snapshotApplied',
    'sync/heartbeat',
  ]);
  expect(excluded.sent).toEqual([['another channel', 1]]);
});

test('refuses one action that cannot be cloned: logs it, the tick continues and the window fetches the state', async () => {
  const { main, window } = await startWithWindow();
  const frame = Object({ modifier: 'ai', id: '1', bad: () => 'secret text' });
  main.store.dispatch(
    session.updateReceived({ update: { kind: 'message', frame }, at: main.clock.now(), bytes: 1 }),
  );
  main.receive('{"modifier":"ai","id":"2"}');
  main.clock.advance(100);
  expect(main.store.getState().counts.applied).toBe(1);
  main.clock.advance(100);
  expect(main.store.getState().counts.applied).toBe(2);
  await window.page.deliver();
  expect(sharedPart(window.store.getState())).toEqual(JSON.parse(JSON.stringify(main.shared())));
  const msg = 'a message to the windows could not be sent';
  expect(main.kept.lines()).toMatchObject([{ channel: SYNC_ACTION, error: 'DataCloneError', msg }]);
  expect(main.kept.text()).not.toContain('secret');
});

test('logs a message that is too long for a window, shows it as a notice and does not fetch it again', async () => {
  const { main, window } = await startWithWindow();
  const content = [{ category: 'text', text: '<'.repeat(WINDOW_MESSAGE_LENGTH) }];
  const fetch = vi.spyOn(window.page.ipcRenderer, 'invoke');
  const update = { kind: 'message', frame: { modifier: 'ai', id: '1', content } } as const;
  main.store.dispatch(session.updateApplied({ update, bytes: WINDOW_MESSAGE_LENGTH + 1, tick: 0 }));
  await window.page.deliver();
  main.clock.advance(2 * HEARTBEAT_MS);
  await window.page.deliver();
  expect(fetch).not.toHaveBeenCalled();
  expect(JSON.stringify(window.store.getState().conversation)).toContain('too long to be shown');
  main.receiveUpdate({ person: 'Ada', messages: [update.frame] });
  expect(main.kept.text().match(/^\{"level":"warn","msg":"a message is too long.*\}$/gmu)).toHaveLength(2);
});

test('answers one request of a window in each turn of main, and those over the rate later, and refuses those that no window of ours sends', async () => {
  const { store, clock, kept } = await mainStore();
  const { answerStateRequests } = await import('../ipc/answerStateRequests.ts');
  const deferred: (() => void)[] = [];
  answerStateRequests({ store, clock, log: kept.log, defer: (task) => void deferred.push(task) });
  const { webContents: sender } = openPage();
  const event = { sender, senderFrame: Reflect.get(sender, 'mainFrame') };
  const results: string[] = [];
  const request = (channel: string, ...args: unknown[]) =>
    ipcMain.invoked(channel, event, args).then(() => 'answered', String);
  const count = (text: string) => results.filter((one) => one.includes(text)).length;
  for (let sent = 0; sent < 5000; sent++)
    void request(sent % 2 === 0 ? SYNC_STATE : SYNC_PART, 1, 1).then((result) => results.push(result));
  await setImmediate();
  expect([count('answered'), count('too many requests')]).toEqual([1, 5000 - 1 - STATE_REQUESTS]);
  for (const answered of [2, 4, 5]) {
    for (let turn = 0; turn < 5; turn++) {
      deferred.splice(0).forEach((task) => task());
      await setImmediate();
    }
    expect(count('answered')).toBe(answered);
    clock.advance(1100);
  }
});

test('reports a backlog at once, then each second while it changes, and its end', async () => {
  const main = await startMain();
  main.launch();
  const { store, clock, listeners } = main;
  const first = clock.now();
  const reports: unknown[] = [];
  listeners.startListening({
    matcher: session.backlogReported.match,
    effect: ({ payload }) => void reports.push(`${clock.now() - first}: ${payload.updates}`),
  });
  reportBacklog(store, clock);
  for (let at = 0; at < 45; at++) main.receive(JSON.stringify({ name: `n${at}` }));
  clock.advance(10_000);
  expect(reports).toEqual(['0: 45', '1000: 36', '2000: 26', '3000: 0']);
  expect(store.getState().backlog).toEqual({ updates: 0 });
});
