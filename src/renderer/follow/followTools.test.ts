import { expect, test } from 'vitest';
import { OWN_TEXT_LENGTH } from '#shared/limits.ts';
import { assistantSubmitted, leftBottom } from '#shared/actions/windowActions.ts';
import { initialOwnState } from '#shared/window/ownReducer.ts';
import { toolsBridge } from '#tests/builders/toolsBridge.ts';
import { createOwnStore } from '../testing/createOwnStore.ts';
import { followTools } from './followTools.ts';

/** Creates a window that follows main, and a function that sends messages as main does. */
function createFollower() {
  const { tools, emit } = toolsBridge();
  const { getState, dispatch } = createOwnStore();
  let deletions = 0;
  followTools({ tools, dispatch }, () => deletions++);
  return { own: () => getState().own, dispatch, deletions: () => deletions, send: emit };
}

test('shows no note at first', () => {
  expect(createFollower().own()).toBe(initialOwnState);
});

test('shows the file of a saved session, or why it was not saved', () => {
  const { own, send } = createFollower();
  send('saved', { path: '/captures/x.parley.jsonl' });
  expect(own().notes).toEqual({ text: 'This session is saved in', path: '/captures/x.parley.jsonl' });
  send('saved', { error: 'There is no session to save.' });
  expect(own().notes).toEqual({ text: 'There is no session to save.' });
});

test('shows a notice from main', () => {
  const { own, send } = createFollower();
  send('notice', 'The disk is full.');
  expect(own().notes).toEqual({ text: 'The disk is full.' });
});

test('shows the dialogs that main requests, the newest in place of the one before', () => {
  const { own, send } = createFollower();
  const contents = { folder: '/home/ada/.parley', isPlatformBuiltIn: true };
  send('about', { parley: '1.0.0', host: 'the web host', chromium: '140', node: '22', licence: 'MIT' });
  expect(own().dialog).toMatchObject({ dialog: 'about', contents: { chromium: '140' } });
  send('deleteData', contents);
  expect(own().dialog).toEqual({ dialog: 'deleteData', contents, platformFile: false, isDeleting: false });
  send('export');
  expect(own().dialog).toEqual({ dialog: 'export' });
});

test('shows the assistant, and the result of a test with limited texts', () => {
  const { own, send, dispatch } = createFollower();
  const contents = { url: '', model: '', prompt: '', hasKey: false, variables: [] };
  send('assistant', contents);
  dispatch(assistantSubmitted({ work: 'test' }));
  const long = 'm'.repeat(OWN_TEXT_LENGTH);
  send('assistantResult', { kind: 'tested', model: `${long}m`, models: [`${long}m`] });
  expect(own().dialog).toMatchObject({ result: { model: long }, models: [long] });
  dispatch(assistantSubmitted({ work: 'test' }));
  send('assistantResult', { kind: 'failed', field: null, message: `${long}m` });
  expect(own().dialog).toMatchObject({ result: { message: long } });
  expect(own().notes).toBeNull();
});

test('closes the dialog and shows a note when the assistant is stored', () => {
  const { own, send, dispatch } = createFollower();
  send('assistant', { url: '', model: '', prompt: '', hasKey: false, variables: [] });
  dispatch(assistantSubmitted({ work: 'save' }));
  send('assistantResult', { kind: 'saved' });
  expect(own()).toMatchObject({
    dialog: null,
    notes: { text: 'Your choice of the assistant is saved. It applies from your next message on.' },
  });
});

test('closes the dialog, clears the form and shows the result when the data was deleted', () => {
  const { own, send, deletions } = createFollower();
  send('deleteData', { folder: '/home/ada/.parley', isPlatformBuiltIn: true });
  send('dataDeleted', 'Your data was deleted.');
  expect(own()).toMatchObject({
    dialog: null,
    signInForm: { cleared: 1 },
    notes: { text: 'Your data was deleted.' },
  });
  expect(deletions()).toBe(1);
});

test('shows why the conversation is not opened, until it is', () => {
  const { own, send } = createFollower();
  send('startFailed', { canSave: true });
  expect(own().startFailure).toEqual({ canSave: true });
  send('startFailed', null);
  expect(own().startFailure).toBeNull();
});

test('changes nothing when main repeats whether starts failed', () => {
  const { own, send, dispatch } = createFollower();
  dispatch(leftBottom());
  const before = own();
  send('startFailed', null);
  expect(own()).toBe(before);
  send('startFailed', { canSave: true });
  const failed = own();
  send('startFailed', { canSave: true });
  expect(own()).toBe(failed);
});
