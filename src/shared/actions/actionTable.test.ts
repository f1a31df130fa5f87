import { describe, expect, it } from 'vitest';
import { FILE_BYTES, STATE_TEXT_LENGTH } from '../limits.ts';
import * as user from './userActions.ts';
import { sessionEnded } from './sessionActions.ts';
import { windowClosed } from './mainActions.ts';
import {
  alertDismissed,
  alertShown,
  dialogOpened,
  fileOffered,
  noteShown,
  signInFormAnswered,
  signInFormEdited,
  stateReported,
  textBoxEdited,
} from './windowActions.ts';
import { ACTIONS, isWindowStateAction, parseSentAction } from './actionTable.ts';
import { LOCAL } from '../isOfType.ts';
import { initialWindowState } from '../store/windowState.ts';

const long = 'x'.repeat(STATE_TEXT_LENGTH + 1);

describe('parseSentAction, for an action of the window’s state', () => {
  it.each([
    stateReported({ state: initialWindowState }),
    signInFormEdited({ email: long, name: long }),
    signInFormAnswered({ error: long }),
    textBoxEdited({ text: long }),
    alertShown({ text: long }),
    noteShown({ text: long, path: long }),
    fileOffered({ name: long, size: FILE_BYTES, type: long }),
    dialogOpened({ dialog: 'deleteData', contents: { folder: '/x', isPlatformBuiltIn: false } }),
  ])('returns an action of the allow-list, as its creator makes it', (action) => {
    expect(parseSentAction(structuredClone(action))).toEqual({ ...action, meta: LOCAL });
    expect(isWindowStateAction(action)).toBe(true);
  });

  it.each([
    ['an action of main', sessionEnded()],
    ['what only a menu requests', { type: user.quitRequested.type }],
    ['an action of main about another window', windowClosed(2)],
    ['an unknown type', { type: 'view/forgotten' }],
    ['nothing', undefined],
    ['a mark of another window', { ...alertDismissed(), meta: { window: 2 } }],
    ['a text over the limit', { type: alertShown.type, payload: { text: long } }],
    ['another field', { type: alertShown.type, payload: { text: 'a', password: 'b' } }],
    ['a password', { type: signInFormEdited.type, payload: { email: '', name: '', password: 'secret1!' } }],
    [
      'a state with another field',
      { type: stateReported.type, payload: { state: { ...initialWindowState, a: 1 } } },
    ],
    ['a state without a field', { type: stateReported.type, payload: { state: {} } }],
  ])('refuses %s', (_, value) => {
    expect(parseSentAction(value)).toBeUndefined();
  });
});

/** The settings of the assistant that a person entered. */
const CHANGE = { url: 'http://a', model: null, prompt: null, key: 'sk-1', keepsKey: false };

/** Returns an action of a type for each payload. */
const of = ({ type }: { readonly type: string }, payloads: readonly unknown[]) =>
  payloads.map((payload) => ({ type, payload }));
/** Returns an action of a type for each of these private contents. */
const ofPrivate = ({ type }: { readonly type: string }, contents: readonly unknown[]) =>
  contents.map((one) => ({ type, meta: { private: one } }));

describe('parseSentAction, for a user action', () => {
  it('contract §4: accepts exactly these from a window', () => {
    const accepted = Object.entries(ACTIONS).filter(([, { isFromWindow }]) => isFromWindow === true);
    const types = accepted.map(([type]) => type).filter((type) => !isWindowStateAction({ type }));
    expect(types.toSorted()).toEqual([
      'assistant/modelRequested',
      'assistant/saveRequested',
      'assistant/testCancelRequested',
      'assistant/testRequested',
      'connection/requested',
      'data/deletionRequested',
      'diagnostics/copyRequested',
      'dialog/requested',
      'inspector/requested',
      'playback/audioWritten',
      'playback/failed',
      'playback/requested',
      'playback/stopRequested',
      'preferences/changed',
      'recording/failed',
      'recording/toggleRequested',
      'session/saveRequested',
      'start/retryRequested',
      'start/saveRequested',
      'window/zoomRequested',
    ]);
  });

  it.each([
    user.connectionRequested(),
    user.dialogRequested({ dialog: 'print' }),
    user.preferencesChanged({ audio: true, captureDays: null, captureMegabytes: 5 }),
    user.dataDeletionRequested({ platformFile: true }),
    user.assistantTestRequested(CHANGE),
    user.assistantTestRequested(null),
    user.assistantSaveRequested(CHANGE),
    user.recordingFailed({ number: 1 }),
    user.playbackRequested({ message: 0, item: 3 }),
  ])('returns $type as its creator makes it', (action) => {
    expect(parseSentAction(structuredClone(action))).toEqual({ meta: {}, ...action });
  });

  it('makes the payload from the private contents, whatever the window sends', () => {
    const sent = { ...user.assistantSaveRequested(CHANGE), payload: { isDemonstration: true, key: 'sk-1' } };
    expect(parseSentAction(sent)).toEqual(user.assistantSaveRequested(CHANGE));
  });

  const wrongChanges = [
    undefined,
    'http://a',
    { ...CHANGE, key: 1 },
    { ...CHANGE, other: 1 },
    { ...CHANGE, prompt: 'p'.repeat(20_001) },
    { url: 'http://a' },
  ];
  it.each([
    { ...user.connectionRequested(), meta: { window: 2 } },
    { ...user.connectionRequested(), meta: { private: 'a' } },
    ...of(user.connectionRequested, ['more']),
    ...of(user.preferencesChanged, [undefined, { audio: 1 }, { other: true }]),
    ...of(user.dataDeletionRequested, [
      undefined,
      true,
      {},
      { platformFile: 'yes' },
      { platformFile: true, other: 1 },
    ]),
    ...of(user.windowZoomRequested, [undefined, { zoom: 'larger' }]),
    ...of(user.dialogRequested, [undefined, { dialog: 'none' }]),
    ...ofPrivate(user.assistantTestRequested, wrongChanges),
    ...ofPrivate(user.assistantSaveRequested, wrongChanges),
    ...of(user.recordingFailed, [undefined, { number: '1' }, { number: -1 }, { number: 1.5 }]),
    ...of(user.playbackRequested, [
      undefined,
      { message: 0 },
      { message: -1, item: 0 },
      { message: 0, item: 0.5 },
      'm1',
    ]),
    user.messageRequested({ category: 'text', text: 'a', blob: null }),
    { type: user.signInRequested.type },
    { type: user.windowOpenRequested.type },
  ])('contract §4: refuses %j', (action) => {
    expect(parseSentAction(action)).toBeUndefined();
  });
});
