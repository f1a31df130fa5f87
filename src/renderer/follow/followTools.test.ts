import { expect, test } from 'vitest';
import { STATE_TEXT_LENGTH } from '#shared/limits.ts';
import { assistantSubmitted } from '#shared/actions/windowActions.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { toolsBridge } from '#tests/builders/toolsBridge.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { followTools } from './followTools.ts';

/** Creates a window that follows main, and a function that sends messages as main does. */
function createFollower() {
  const { tools, emit } = toolsBridge();
  const { getState, dispatch } = createWindowStateStore();
  followTools({ tools, dispatch });
  return { own: () => getState().own, dispatch, send: emit };
}

test('shows no note at first', () => {
  expect(createFollower().own()).toBe(initialWindowState);
});

test('shows the file of a saved session, or why it was not saved', () => {
  const { own, send } = createFollower();
  send('saved', { path: '/captures/x.parley.jsonl' });
  expect(own().notes).toEqual({ text: 'This session is saved in', path: '/captures/x.parley.jsonl' });
  send('saved', { error: 'There is no session to save.' });
  expect(own().notes).toEqual({ text: 'There is no session to save.' });
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
  const long = 'm'.repeat(STATE_TEXT_LENGTH);
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
