import type { Action } from '@reduxjs/toolkit';
import { expect, test, vi } from 'vitest';
import * as main from '#shared/actions/mainActions.ts';
import { sessionLaunched } from '#shared/actions/sessionActions.ts';
import { assistantSubmitted, dialogOpened, noteDismissed } from '#shared/actions/windowActions.ts';
import { STATE_TEXT_LENGTH } from '#shared/limits.ts';
import { CONTINUED, noNotices, noticesReducer } from '#shared/store/notices.ts';
import { toolsBridge } from '#tests/builders/syncBridge.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { showNotices, showAnswers } from './showNotices.ts';

vi.hoisted(() => void vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 Chrome/150.0.1 Safari/537.36' }));

vi.unstubAllGlobals();

/** Opens a window when main's notices are these; `hear` applies actions of main, and a state that was fetched after all of them. */
function start(notices = noNotices) {
  let now = noNotices;
  const store = createWindowStateStore(() => ({ notices: now }));
  const reset = vi.fn<() => void>();
  const own = () => store.getState().own;
  const setAccount = vi.fn<(account: string | false, view: string) => void>();
  showNotices(store, { signInForm: { reset }, texts: { setAccount: (of) => setAccount(of, own().view) } });
  const fetch = (state: typeof now) => {
    now = state;
    store.changed();
  };
  fetch(notices);
  return {
    ...store,
    own,
    setAccount,
    reset,
    known: () => now,
    hear: (...actions: readonly Action[]) => actions.forEach((action) => fetch(noticesReducer(now, action))),
    fetch,
  };
}

const DELETION = { folder: '/home/ada/.parley', isPlatformBuiltIn: true };

const after = (...actions: readonly Action[]) => actions.reduce(noticesReducer, noNotices);
const signedIn = main.accountChanged({ account: 'mark-1', reason: null });
const signedOut = main.accountChanged({ account: false, reason: null });
const unauthorized = main.accountChanged({ account: false, reason: 'unauthorized' });
const standing = (text: string) => main.noticeRaised({ text, until: 'dismissed' });
const passing = (text: string) => main.noticeRaised({ text, until: 'shown' });

const notes = (...actions: readonly Action[]) => start(after(signedIn, ...actions)).own().notes?.text;
/** Returns the number of alerts of a window that opens after these actions. */
const reasons = (...actions: readonly Action[]) => start(after(...actions)).own().alerts.waiting.length;

test('spec §3.1 row 1: shows the splash at first, the form after false, the conversation after an identifier, and an alert for each sign-out with a reason, but not for a repeated one', () => {
  const { own, hear, setAccount, reset } = start();
  const alerts = () => own().alerts.waiting.map(({ text }) => text);
  expect(own().view).toBe('splash');
  hear(signedOut);
  expect(own().view).toBe('login');
  hear(signedIn);
  expect(own().view).toBe('conversation');
  expect(setAccount.mock.calls.flat()).toEqual([false, 'splash', 'mark-1', 'login']);
  expect(reset).toHaveBeenCalledTimes(2);
  hear(unauthorized, unauthorized);
  expect(alerts()).toEqual(['unauthorized']);
  hear(signedIn);
  expect(alerts()).toEqual([]);
  hear(unauthorized);
  expect(alerts()).toEqual(['unauthorized']);
});

test('shows a notice from main once, and the same one again when it is raised again', () => {
  const { own, hear, dispatched, fetch, known } = start(after(signedIn));
  hear(standing('The disk is full.'));
  expect(own().notes).toEqual({ text: 'The disk is full.' });
  const count = dispatched.length;
  fetch(structuredClone(known()));
  expect(dispatched).toHaveLength(count);
  hear(standing('The disk is full.'));
  expect(dispatched).toHaveLength(count + 1);
  // Another main counts its notices from the beginning.
  fetch(after(signedIn, standing('a'), standing('b')));
  expect(own().notes).toEqual({ text: 'b' });
});

test('a window that opens later shows what stands, and nothing that was seen or is resolved', () => {
  const full = main.writingPaused({ part: 'log', text: 'The disk is full.' });
  expect(notes(standing('a'))).toBe('a');
  expect(notes(standing('a'), main.noticeSeen({ id: 1 }))).toBeUndefined();
  expect(notes(full)).toBe('The disk is full.');
  expect(notes(full, main.writingResumed({ part: 'log' }))).toBe(CONTINUED);
  expect(notes(full, main.writingResumed({ part: 'log' }), main.noticeSeen({ id: 2 }))).toBeUndefined();
  expect(notes(passing('a'), main.noticeSeen({ id: 1 }))).toBeUndefined();
  expect(reasons(signedIn, unauthorized)).toBe(1);
  expect(reasons(signedIn, unauthorized, main.noticeSeen({ id: 1 }))).toBe(0);
  // A window that missed actions shows what is new to it, in the view of the account.
  const { own, fetch } = start(after(signedIn));
  fetch(after(signedIn, unauthorized, passing('a')));
  expect(own()).toMatchObject({ view: 'login', notes: { text: 'a' } });
  expect(own().alerts.waiting).toHaveLength(1);
});

test('closes the dialog, clears the form and shows the result when the data was deleted', () => {
  const { own, hear, reset, dispatch, known } = start(after(signedOut));
  dispatch(dialogOpened({ dialog: 'deleteData', contents: DELETION }));
  reset.mockClear();
  const text = 'Your data was deleted.';
  hear(main.deletionAnnounced({ text }));
  expect(own()).toMatchObject({ dialog: null, signInForm: { cleared: 1 }, notes: { text } });
  expect(reset).toHaveBeenCalledOnce();
  expect(start(known()).own().signInForm.cleared).toBe(0);
});

test('shows why the conversation is not opened, until it is, also in a window that opens later', () => {
  const { own, hear } = start(after(signedIn, main.startFailed({ canSave: false })));
  expect(own().startFailure).toEqual({ canSave: false });
  hear(main.startFailed({ canSave: true }));
  expect(own().startFailure).toEqual({ canSave: true });
  hear(sessionLaunched({ launchedAt: 0 }));
  expect(own().startFailure).toBeNull();
});

const long = 'm'.repeat(STATE_TEXT_LENGTH);

function createFollower() {
  const { tools, emit: send } = toolsBridge();
  const { getState, dispatch } = createWindowStateStore();
  showAnswers({ tools, dispatch });
  return { own: () => getState().own, dispatch, send };
}

test('shows the file of a saved session, or why it was not saved, and the dialogs that main requests, the newest in place of the one before', () => {
  const { own, send } = createFollower();
  send('saved', { path: '/captures/x.parley.jsonl' });
  expect(own().notes).toEqual({ text: 'This session is saved in', path: '/captures/x.parley.jsonl' });
  send('saved', { error: 'There is no session to save.' });
  expect(own().notes).toEqual({ text: 'There is no session to save.' });
  send('diagnosticsCopied', true);
  expect(own().notes?.text).toMatch(/are on the clipboard. They contain no names, addresses or messages.$/);
  send('diagnosticsCopied', false);
  expect(own().notes?.text).toBe('The diagnostics could not be copied: the clipboard is not allowed here.');
  send('about', { parley: '1.0.0', host: 'the web host', chromium: '140', node: '22', licence: 'MIT' });
  expect(own().dialog).toMatchObject({ dialog: 'about', contents: { chromium: '140' } });
  send('about', { parley: '1', host: '', chromium: null, node: '22', licence: '' });
  expect(own().dialog).toMatchObject({ contents: { chromium: '150.0.1' } });
  send('voiceNote', 'Voice is off.');
  expect(own().notes).toEqual({ text: 'Voice is off.' });
  send('deleteData', DELETION);
  const dialog = { dialog: 'deleteData', contents: DELETION, platformFile: false, isDeleting: false };
  expect(own().dialog).toEqual(dialog);
  send('export');
  expect(own().dialog).toEqual({ dialog: 'export' });
});

test('shows the assistant, the result of a test with limited texts, a note in place of the dialog when it is stored, who answers, and the menu of the models until one is chosen, without a note', () => {
  const { own, send, dispatch } = createFollower();
  const contents = { url: '', model: '', prompt: '', hasKey: false, variables: [] };
  send('assistant', contents);
  dispatch(assistantSubmitted({ work: 'test' }));
  send('assistantResult', { kind: 'tested', model: `${long}m`, models: [`${long}m`] });
  expect(own().dialog).toMatchObject({ result: { model: long }, models: [long] });
  dispatch(assistantSubmitted({ work: 'test' }));
  send('assistantResult', { kind: 'failed', field: null, message: `${long}m` });
  expect(own().dialog).toMatchObject({ result: { message: long } });
  expect(own().notes).toBeNull();
  dispatch(assistantSubmitted({ work: 'save' }));
  send('assistantResult', { kind: 'saved' });
  const text = 'Your choice of the assistant is saved. It applies from your next message on.';
  expect(own()).toMatchObject({ dialog: null, notes: { text } });
  dispatch(noteDismissed());
  send('assistantInUse', { isDemonstration: false, model: `${long}m` });
  expect(own().assistant).toEqual({ isDemonstration: false, model: long });
  send('models');
  expect(own().dialog).toEqual({ dialog: 'models', result: null });
  send('assistantResult', { kind: 'chosen' });
  expect(own()).toMatchObject({ dialog: null, notes: null });
});
