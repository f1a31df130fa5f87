import { configureStore } from '@reduxjs/toolkit';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider } from 'react-redux';
import { expect, test } from 'vitest';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import { alertShown } from '#shared/window/alerts.ts';
import { dialogOpened } from '#shared/window/dialog.ts';
import { fileDropEntered } from '#shared/window/fileDrop.ts';
import { menuOpened } from '#shared/window/menu.ts';
import { noteShown } from '#shared/window/notes.ts';
import type { OwnAction } from '#shared/window/ownActions.ts';
import { initialOwnState, ownReducer } from '#shared/window/ownReducer.ts';
import { charactersShown, signInFormChecked, signInFormEdited } from '#shared/window/signInForm.ts';
import { startFailureChanged } from '#shared/window/startFailure.ts';
import { textBoxOpened } from '#shared/window/textBox.ts';
import { viewChanged } from '#shared/window/view.ts';
import { App } from './App.tsx';

/** Returns the markup of a window after its own actions. There is no document here: an effect would fail. */
function draw(...actions: readonly OwnAction[]): string {
  const own = actions.reduce(ownReducer, initialOwnState);
  const state = { ...sharedReducer(undefined, { type: '' }), own };
  const store = configureStore({ reducer: () => state });
  // oxlint-disable-next-line react/no-children-prop -- this file is not JSX
  return renderToStaticMarkup(createElement(Provider, { store, children: createElement(App) }));
}

const login = viewChanged({ view: 'login' });
const conversation = viewChanged({ view: 'conversation' });
const deletion = { folder: '/home/ada/.parley', isPlatformBuiltIn: true };

test.each<[string, OwnAction[], RegExp[]]>([
  ['the splash', [], [/data-view="splash"/]],
  [
    'the sign-in form',
    [login, signInFormEdited({ email: 'ada@example.org', name: '' })],
    [/value="ada@example\.org"/],
  ],
  [
    'an error of the form',
    [login, signInFormChecked({ error: 'No.' })],
    [/role="status" aria-live="polite" data-error="true">No\./],
  ],
  ['the characters of the password', [login, charactersShown({ isShown: true })], [/aria-pressed="true"/]],
  ['the conversation with its icon', [conversation], [/role="log"/, /title="Write a message"/]],
  ['a draft', [conversation, textBoxOpened({ text: 'hello th' })], [/aria-label="Message"[^>]*>hello th</]],
  ['where to drop a file', [conversation, fileDropEntered()], [/Drop a file to send it/]],
  [
    'why the conversation is not opened',
    [conversation, startFailureChanged({ failure: { canSave: true } })],
    [/Try again/],
  ],
  ['an alert', [login, alertShown({ text: 'unauthorized' })], [/role="alertdialog"/, /unauthorized/]],
  ['a note', [noteShown({ text: 'Saved in', path: '/x' })], [/Saved in <code>\/x<\/code>/]],
  [
    'a dialog',
    [dialogOpened({ dialog: 'deleteData', contents: deletion })],
    [/Delete my data/, /\/home\/ada\/\.parley/],
  ],
  ['the menu', [menuOpened()], [/aria-expanded="true"/, /About Parley/]],
])('draws %s from the store alone', (_, actions, expected) => {
  const markup = draw(...actions);
  for (const part of expected) expect(markup).toMatch(part);
});
