import { expect, test } from 'vitest';
import {
  deletionConfirmed,
  dialogClosed,
  dialogOpened,
  dialogReducer,
  platformFileChosen,
} from './dialog.ts';

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
