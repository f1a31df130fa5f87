import { expect, it } from 'vitest';
import { FILE_BYTES, STATE_TEXT_LENGTH } from '../limits.ts';
import * as user from './userActions.ts';
import * as act from './windowActions.ts';
import { ACTIONS, isWindowStateAction, parseSentAction } from './actionTable.ts';
import { LOCAL } from '../isOfType.ts';
import { initialWindowState } from '../store/windowState.ts';

const long = 'x'.repeat(STATE_TEXT_LENGTH + 1);

it.each([
  act.stateReported({ state: initialWindowState }),
  act.signInFormEdited({ email: long, name: long }),
  act.signInFormAnswered({ error: long }),
  act.textBoxEdited({ text: long }),
  act.alertShown({ text: long }),
  act.noteShown({ text: long, path: long }),
  act.fileOffered({ name: long, size: FILE_BYTES, type: long }),
  act.dialogOpened({ dialog: 'deleteData', contents: { folder: '/x', isPlatformBuiltIn: false } }),
])('returns an action of the allow-list, as its creator makes it', (action) => {
  expect(parseSentAction(structuredClone(action))).toEqual({ ...action, meta: LOCAL });
  expect(isWindowStateAction(action)).toBe(true);
});

const CHANGE = { url: 'http://a', model: null, prompt: null, key: 'sk-1', keepsKey: false };

const of = ({ type }: { readonly type: string }, payloads: readonly unknown[]) =>
  payloads.map((payload) => ({ type, payload }));
const ofPrivate = ({ type }: { readonly type: string }, contents: readonly unknown[]) =>
  contents.map((one) => ({ type, meta: { private: one } }));

it('contract §4: accepts exactly the actions of the golden from a window, beside those of its state', async () => {
  const accepted = Object.entries(ACTIONS).filter(([, { isFromWindow }]) => isFromWindow === true);
  const types = accepted.map(([type]) => type).filter((type) => !isWindowStateAction({ type }));
  await expect(`${types.toSorted().join('\n')}\n`).toMatchFileSnapshot('testing/fromWindow.txt');
});

it('makes the payload from the private contents, whatever the window sends', () => {
  const sent = { ...user.assistantSaveRequested(CHANGE), payload: { isDemonstration: true, key: 'sk-1' } };
  expect(parseSentAction(sent)).toEqual(user.assistantSaveRequested(CHANGE));
});

const wrongFields = [{ key: 1 }, { other: 1 }, { prompt: 'p'.repeat(20_001) }];
const wrongChanges = [
  undefined,
  'http://a',
  { url: 'a' },
  ...wrongFields.map((one) => Object.assign({}, CHANGE, one)),
];

it.each([
  { ...user.connectionRequested(), meta: { window: 2 } },
  { ...user.connectionRequested(), meta: { private: 'a' } },
  ...of(user.connectionRequested, ['more']),
  ...of(user.preferencesChanged, [undefined, { audio: 1 }, { other: true }]),
  ...of(user.dataDeletionRequested, [undefined, true, { platformFile: 1 }, { platformFile: true, other: 1 }]),
  ...of(user.windowZoomRequested, [undefined, { zoom: 'larger' }]),
  ...of(user.dialogRequested, [undefined, { dialog: 'none' }]),
  ...ofPrivate(user.assistantTestRequested, wrongChanges),
  ...ofPrivate(user.assistantSaveRequested, wrongChanges),
  ...of(user.recordingFailed, [undefined, { number: '1' }, { number: -1 }, { number: 1.5 }]),
  ...of(user.playbackRequested, ['m1', { message: 0 }, { message: -1, item: 0 }, { message: 0, item: 0.5 }]),
  user.messageRequested({ category: 'text', text: 'a', blob: null }),
  { type: user.signInRequested.type },
  { type: user.windowOpenRequested.type },
])('contract §4: refuses %j', (action) => expect(parseSentAction(action)).toBeUndefined());
