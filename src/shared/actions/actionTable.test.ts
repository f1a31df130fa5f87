import { describe, expect, it } from 'vitest';
import { FILE_BYTES, OWN_TEXT_LENGTH } from '../limits.ts';
import { connectionRequested } from './userActions.ts';
import { sessionEnded } from './sessionActions.ts';
import { attentionGained, windowClosed, windowOpened } from './mainActions.ts';
import {
  alertDismissed,
  alertShown,
  dialogOpened,
  fileOffered,
  fileRefused,
  fileSent,
  noteShown,
  signInFormAnswered,
  signInFormEdited,
  signInFormSubmitted,
  stateReported,
  textBoxEdited,
} from './windowActions.ts';
import { isOwnAction, parseOwnAction } from './actionTable.ts';
import { initialOwnState } from '../window/ownReducer.ts';

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
