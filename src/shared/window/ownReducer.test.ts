import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOwnState } from '#tests/builders/anyOwnState.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import {
  fileDropEntered,
  fileDropLeft,
  findClosed,
  findEdited,
  findOpened,
  hitReached,
  leftBottom,
  menuClosed,
  menuOpened,
  noteDismissed,
  noteShown,
  reachedBottom,
  soundProgressChanged,
  startFailureChanged,
  stateReported,
  viewChanged,
} from '../actions/windowActions.ts';
import { initialOwnState, ownReducer } from './ownReducer.ts';
import { ownView } from '../actions/windowSchemas.ts';

test('spec §3.1 row 1: shows the splash, and nothing else, at first', () => {
  expect(initialOwnState).toMatchInlineSnapshot(`
    {
      "alerts": {
        "nextId": 0,
        "waiting": [],
      },
      "dialog": null,
      "fileDrop": false,
      "find": null,
      "menu": false,
      "notes": null,
      "place": {
        "divider": null,
        "leftAt": null,
      },
      "scroll": {
        "isAtBottom": true,
      },
      "signInForm": {
        "cleared": 0,
        "email": "",
        "error": null,
        "isBusy": false,
        "name": "",
        "showsCharacters": false,
      },
      "soundProgress": null,
      "startFailure": null,
      "textBox": null,
      "view": "splash",
      "viewer": null,
    }
  `);
});

test.each([
  [viewChanged({ view: 'login' }), { view: 'login' }],
  [fileDropEntered(), { fileDrop: true }],
  [menuOpened(), { menu: true }],
  [noteShown({ text: 'Saved in', path: '/x' }), { notes: { text: 'Saved in', path: '/x' } }],
  [leftBottom(), { scroll: { isAtBottom: false } }],
  [startFailureChanged({ failure: { canSave: true } }), { startFailure: { canSave: true } }],
  [soundProgressChanged({ at: 1.5, of: 3 }), { soundProgress: { at: 1.5, of: 3 } }],
  [findOpened(), { find: { text: '', hit: null } }],
  [findEdited({ text: 'hi' }), { find: { text: 'hi', hit: null } }],
  [hitReached({ hit: { message: 1, item: 0, start: 3 } }), {}],
])('changes only its slice with the action %j', (action, change) => {
  expect(ownReducer(initialOwnState, action)).toEqual({ ...initialOwnState, ...change });
});

test.each([
  [fileDropEntered(), fileDropLeft()],
  [menuOpened(), menuClosed()],
  [noteShown({ text: 'Saved.' }), noteDismissed()],
  [leftBottom(), reachedBottom()],
  [leftBottom(), viewChanged({ view: 'splash' })],
  [fileDropEntered(), startFailureChanged({ failure: null })],
  [soundProgressChanged({ at: 0, of: 3 }), soundProgressChanged(null)],
  [findOpened(), findClosed()],
  [findOpened(), viewChanged({ view: 'splash' })],
])('is as before after %j and %j', (act, undo) => {
  expect(ownReducer(ownReducer(initialOwnState, act), undo)).toEqual(initialOwnState);
});

test('does not know the progress of a sound without a length', () => {
  expect(soundProgressChanged({ at: 0, of: Number.NaN }).payload).toBeNull();
  expect(soundProgressChanged({ at: 0, of: Number.POSITIVE_INFINITY }).payload).toBeNull();
});

test('keeps the text of the find bar at a hit, and drops the hit with the text', () => {
  const hit = { message: 1, item: 0, start: 3 };
  const shown = [findEdited({ text: 'hi' }), hitReached({ hit })].reduce(ownReducer, initialOwnState);
  expect(shown.find).toEqual({ text: 'hi', hit });
  expect(ownReducer(shown, findEdited({ text: 'his' })).find).toEqual({ text: 'his', hit: null });
  expect(ownReducer(shown, startFailureChanged({ failure: null })).find).toBe(shown.find);
  expect(ownReducer(shown, startFailureChanged({ failure: { canSave: true } })).find).toBeNull();
});

test('shows in another view what a new window shows, whatever it showed before', () => {
  checkProperty(
    fc.property(anyOwnState(), fc.constantFrom(...ownView.options), (state, view) => {
      expect(ownReducer(state, viewChanged({ view }))).toEqual({ ...initialOwnState, view });
    }),
  );
});

test('keeps its reference when an action changes nothing', () => {
  expect(ownReducer(initialOwnState, { type: 'update/applied' })).toBe(initialOwnState);
});

test('is replaced by a reported state', () => {
  const state = { ...initialOwnState, textBox: 'hi' };
  expect(ownReducer(initialOwnState, stateReported({ state }))).toBe(state);
});
