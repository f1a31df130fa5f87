import { expect, test } from 'vitest';
import { dialogReducer } from './slices.ts';
import {
  assistantAnswered,
  assistantSubmitted,
  deletionConfirmed,
  dialogClosed,
  dialogOpened,
  platformFileChosen,
} from '../actions/windowActions.ts';

const about = dialogOpened({
  dialog: 'about',
  contents: { parley: '1.0.0', host: 'Electron', chromium: null, node: '22', licence: 'MIT' },
});
const deleteData = dialogOpened({
  dialog: 'deleteData',
  contents: { folder: '/home/ada/.parley', isPlatformBuiltIn: true },
});

test('shows one dialog, and another one in its place', () => {
  const shown = dialogReducer(null, about);
  expect(shown).toEqual(about.payload);
  expect(dialogReducer(shown, deleteData)?.dialog).toBe('deleteData');
  expect(dialogReducer(shown, dialogClosed())).toBeNull();
});

test('keeps the choice of "Delete my data" until the dialog is opened again', () => {
  const chosen = [deleteData, platformFileChosen({ platformFile: true })].reduce(dialogReducer, null);
  expect(chosen).toMatchObject({ platformFile: true, isDeleting: false });
  const confirmed = dialogReducer(chosen, deletionConfirmed({ platformFile: true }));
  expect(confirmed).toMatchObject({ platformFile: true, isDeleting: true });
  expect(dialogReducer(confirmed, deleteData)).toMatchObject({ platformFile: false, isDeleting: false });
});

test('ignores the choices of "Delete my data" in another dialog', () => {
  const shown = dialogReducer(null, about);
  expect(dialogReducer(shown, platformFileChosen({ platformFile: true }))).toBe(shown);
  expect(dialogReducer(shown, deletionConfirmed({ platformFile: true }))).toBe(shown);
});

const assistant = dialogOpened({
  dialog: 'assistant',
  contents: { url: '', model: '', prompt: '', hasKey: false, variables: [] },
});
const testing = [assistant, assistantSubmitted({ work: 'test' })].reduce(dialogReducer, null);
const failed = assistantAnswered({ result: { kind: 'failed', field: 'key', message: 'Wrong key.' } });
const tested = assistantAnswered({ result: { kind: 'tested', model: 'a', models: ['a', 'b'] } });

test('shows the work for the assistant, then its result', () => {
  expect(testing).toMatchObject({ work: 'test', result: null });
  expect(dialogReducer(testing, failed)).toMatchObject({ work: null, result: failed.payload.result });
});

test('offers the models of the last successful test', () => {
  const again = [tested, assistantSubmitted({ work: 'test' }), failed].reduce(dialogReducer, testing);
  expect(again).toMatchObject({ models: ['a', 'b'], result: { kind: 'failed' } });
});

test('closes when the assistant is stored', () => {
  const saving = [assistant, assistantSubmitted({ work: 'save' })].reduce(dialogReducer, null);
  expect(dialogReducer(saving, assistantAnswered({ result: { kind: 'saved' } }))).toBeNull();
});

test('ignores a result that comes after the dialog was closed or opened again', () => {
  const opened = dialogReducer(null, assistant);
  for (const state of [null, opened, dialogReducer(null, about)])
    for (const answer of [failed, tested, assistantAnswered({ result: { kind: 'saved' } })])
      expect(dialogReducer(state, answer)).toBe(state);
});
