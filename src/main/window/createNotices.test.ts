import { expect, test } from 'vitest';
import { accountChanged, noticeRaised, windowOpened } from '#shared/actions/mainActions.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { alertDismissed, noteDismissed } from '#shared/actions/windowActions.ts';
import { type NoticesState, noNotices, noticesReducer } from '#shared/store/notices.ts';
import { showNotices as followInWindow } from '#renderer/listeners/showNotices.ts';
import { openTestWindow } from '#tests/builders/openPage.ts';
import { startMain } from '#tests/builders/startMain.ts';
import { createNotices } from './createNotices.ts';

const error = (code: string) => Object.assign(new Error(code), { code });
const FULL = 'The disk is full: the log and recordings are paused. Free some space, and they continue.';
const CONTINUED = 'Files can be written again: the log and recordings continue.';

test('notifies of what happened before the store exists; once that the disk is full, and again only after all parts recovered; of another reason only for a recording', () => {
  let notices: NoticesState = noNotices;
  const notes: string[] = [];
  const { notify, faults, begin } = createNotices();
  for (const text of ['a', 'b']) notify(text);
  begin({
    getState: () => ({ notices }),
    dispatch(action) {
      const before = notices;
      notices = noticesReducer(notices, action);
      const newest = [notices.standing, notices.passing].find((one) => one?.id === notices.count);
      if (notices.count > before.count) notes.push(newest?.text ?? '');
    },
  });
  expect(notes.splice(0)).toEqual(['a', 'b']);
  faults.paused('log', error('ENOSPC'));
  faults.paused('recording', error('ENOSPC'));
  expect(notes).toEqual([FULL]);
  faults.resumed('log');
  expect(notes).toEqual([FULL]);
  faults.resumed('recording');
  faults.paused('log', error('EDQUOT'));
  expect(notes).toEqual([FULL, CONTINUED, FULL]);
  faults.resumed('log');
  faults.paused('log', error('EROFS'));
  faults.paused('recording', error('EROFS'));
  faults.resumed('log');
  faults.resumed('recording');
  const paused = 'Recording is paused: the disk is read-only. It continues when the file can be written.';
  expect(notes.slice(4)).toEqual([paused, CONTINUED]);
});

/** Starts main; `open` opens a window that shows main's notices, and resolves when it has its state. */
async function start() {
  const main = await startMain();
  const { showNotices } = await import('./createNotices.ts');
  const { receiveActions } = await import('../ipc/receiveActions.ts');
  const numbers = await import('./messengerWindows.ts');
  showNotices(main.listeners);
  receiveActions({ ...main, log: main.kept.log, isAdmitted: () => true });
  main.store.dispatch(accountChanged({ account: 'mark', reason: null }));
  return {
    ...main,
    async open() {
      const { page, store } = openTestWindow();
      // The fake's page is the window too.
      main.store.dispatch(windowOpened(numbers.numberWindow(Object(page))));
      followInWindow(store, { signInForm: { reset() {} }, texts: { setAccount() {} } });
      await page.deliver();
      await page.deliver();
      return {
        page,
        store,
        note: () => store.getState().own.notes?.text,
        alerts: () => store.getState().own.alerts.waiting.map(({ text }) => text),
      };
    },
  };
}

test('shows a notice in every window, also in those that open later, until a person dismisses it', async () => {
  const { open, store } = await start();
  const [first, second] = [await open(), await open()];
  store.dispatch(noticeRaised({ text: FULL, until: 'dismissed' }));
  await first.page.deliver();
  await second.page.deliver();
  expect([first.note(), second.note()]).toEqual([FULL, FULL]);
  expect((await open()).note()).toBe(FULL);
  first.store.dispatch(noteDismissed());
  await first.page.deliver();
  expect((await open()).note()).toBeUndefined();
});

test('shows a notice that is over when it was shown in the open windows only, or in the first that opens', async () => {
  const { open, store } = await start();
  store.dispatch(noticeRaised({ text: 'a', until: 'shown' }));
  const first = await open();
  expect(first.note()).toBe('a');
  await first.page.deliver();
  const second = await open();
  expect(second.note()).toBeUndefined();
  store.dispatch(noticeRaised({ text: 'b', until: 'shown' }));
  await first.page.deliver();
  await second.page.deliver();
  expect([first.note(), second.note()]).toEqual(['b', 'b']);
  expect((await open()).note()).toBeUndefined();
});

test('shows the reason of a sign-out in the open windows, and not in one that opens later', async () => {
  const { open, store } = await start();
  const [first, second] = [await open(), await open()];
  store.dispatch(accountChanged({ account: false, reason: 'unauthorized' }));
  store.dispatch(sessionEnded());
  for (const { page } of [first, second, first, second]) await page.deliver();
  expect([first.alerts(), second.alerts()]).toEqual([['unauthorized'], ['unauthorized']]);
  expect((await open()).alerts()).toEqual([]);
  first.store.dispatch(alertDismissed());
  await first.page.deliver();
  expect((await open()).alerts()).toEqual([]);
});
