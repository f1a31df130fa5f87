import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { FILE_BYTES, OWN_TEXT_LENGTH } from '../limits.ts';
import { connectionRequested } from '../store/connection.ts';
import { sessionEnded } from '../store/session.ts';
import { attentionGained } from './attention.ts';
import { alertDismissed, alertShown } from './alerts.ts';
import { dialogOpened } from './dialog.ts';
import { fileOffered, fileRefused, fileSent } from './file.ts';
import { noteShown } from './notes.ts';
import { OWN_ACTIONS, isOwnAction, parseOwnAction } from './ownActions.ts';
import { initialOwnState, stateReported } from './ownReducer.ts';
import { signInFormAnswered, signInFormEdited, signInFormSubmitted } from './signInForm.ts';
import { textBoxEdited } from './textBox.ts';
import { windowClosed, windowOpened } from './windows.ts';

const long = 'x'.repeat(OWN_TEXT_LENGTH + 1);

describe('parseOwnAction', () => {
  it.each([
    stateReported({ state: initialOwnState }),
    signInFormEdited({ email: long, name: long }),
    signInFormAnswered({ error: long }),
    signInFormSubmitted(),
    textBoxEdited({ text: long }),
    alertShown({ text: long }),
    noteShown({ text: long, path: long }),
    noteShown({ text: 'Saved.' }),
    fileOffered({ name: long, size: FILE_BYTES, type: long }),
    fileRefused({ name: long, size: FILE_BYTES, reason: 'tooLarge' }),
    fileSent({ name: 'a.txt', size: 0 }),
    dialogOpened({ dialog: 'deleteData', contents: { folder: '/x', isPlatformBuiltIn: false } }),
  ])('returns an action of the allow-list, as its creator makes it', (action) => {
    expect(parseOwnAction(structuredClone(action))).toEqual(action);
    expect(isOwnAction(action)).toBe(true);
  });

  it.each([
    ['a shared fact', sessionEnded()],
    ['an act of main', { type: connectionRequested.type }],
    ['a fact about a window', windowOpened(1)],
    ['a fact about another window', windowClosed(2)],
    ['the attention of the person', attentionGained()],
    ['an unknown type', { type: 'view/forgotten' }],
    ['no type', { payload: {} }],
    ['a text', 'view/changed'],
    ['nothing', undefined],
    ['a mark of another window', { ...alertDismissed(), meta: { window: 2 } }],
    ['a text over the limit', { type: alertShown.type, payload: { text: long } }],
    ['another type of field', { type: alertShown.type, payload: { text: 1 } }],
    ['another field', { type: alertShown.type, payload: { text: 'a', password: 'b' } }],
    ['a password', { type: signInFormEdited.type, payload: { email: '', name: '', password: 'secret1!' } }],
    ['a payload where none belongs', { type: alertDismissed.type, payload: { text: 'a' } }],
    [
      'a state with another field',
      { type: stateReported.type, payload: { state: { ...initialOwnState, a: 1 } } },
    ],
    ['a state without a field', { type: stateReported.type, payload: { state: {} } }],
  ])('refuses %s', (_, value) => {
    expect(parseOwnAction(value)).toBeUndefined();
  });
});

/** The files with main's facts, which no window may report. */
const OF_MAIN: ReadonlySet<string> = new Set(['windows.ts', 'attention.ts']);

test('every action creator of the slices is on the allow-list', async () => {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.ts') && !name.includes('.test.'),
  );
  const types: string[] = [];
  for (const file of files.filter((name) => !OF_MAIN.has(name))) {
    const module: Record<string, unknown> = await import(join(import.meta.dirname, file));
    for (const value of Object.values(module))
      if (typeof value === 'function' && 'type' in value) types.push(String(value.type));
  }
  expect([...OWN_ACTIONS.keys()].toSorted()).toEqual([...new Set(types)].toSorted());
});
