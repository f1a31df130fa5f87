import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyWindowState } from '#tests/builders/anyWindowState.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { isLocal } from '../isOfType.ts';
import { sessionEnded } from '../actions/sessionActions.ts';
import type { WindowState } from '../actions/windowSchemas.ts';
import { initialWindowState } from './windowState.ts';
import { stateReported, textBoxOpened, viewChanged } from '../actions/windowActions.ts';
import {
  dataDeleted,
  windowBlurred,
  windowClosed,
  windowFocused,
  windowHidden,
  windowMinimized,
  windowOpened,
  windowRestored,
  windowShown,
} from '../actions/mainActions.ts';
import { type WindowsState, ofWindow, windowOf, windowsReducer } from './openWindows.ts';

const fold = (...actions: Parameters<typeof windowsReducer>[1][]): WindowsState =>
  actions.reduce(windowsReducer, windowsReducer(undefined, { type: '' }));

test('contains each window from its opening until it is closed', () => {
  expect(fold(windowOpened(1), windowOpened(2), windowClosed(1))).toMatchInlineSnapshot(`
    {
      "2": {
        "isFocused": false,
        "isMinimized": false,
        "isVisible": false,
        "own": {
          "alerts": {
            "nextId": 0,
            "waiting": [],
          },
          "assistant": null,
          "dialog": null,
          "expanded": [],
          "fileDrop": false,
          "find": null,
          "menu": false,
          "messageMenu": null,
          "notes": null,
          "page": null,
          "place": {
            "divider": null,
            "leftAt": null,
          },
          "scroll": {
            "isAtBottom": true,
          },
          "scrolledTo": null,
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
          "viewerZoom": {
            "factor": 1,
            "x": 0,
            "y": 0,
          },
        },
      },
    }
  `);
});

test('follows whether a window is visible, focused and minimized', () => {
  const shown = fold(windowOpened(1), windowShown(1), windowFocused(1), windowMinimized(1));
  expect(shown[1]).toMatchObject({ isVisible: true, isFocused: true, isMinimized: true });
  const hidden = [windowRestored(1), windowBlurred(1), windowHidden(1)].reduce(windowsReducer, shown);
  expect(hidden[1]).toMatchObject({ isVisible: false, isFocused: false, isMinimized: false });
});

test('folds the actions of a window’s state into that window only', () => {
  const windows = fold(
    windowOpened(1),
    windowOpened(2),
    ofWindow(viewChanged({ view: 'conversation' }), 2),
    ofWindow(textBoxOpened({ text: 'h' }), 2),
  );
  expect(windows[1]?.own).toBe(initialWindowState);
  expect(windows[2]?.own).toEqual({ ...initialWindowState, view: 'conversation', textBox: 'h' });
});

test('replaces the state of a window that sends all of it', () => {
  const state = { ...initialWindowState, textBox: 'draft' };
  expect(fold(windowOpened(1), ofWindow(stateReported({ state }), 1))[1]?.own).toEqual(state);
});

test('ignores an action of a window that is not open, an action without a window, and an action of another store', () => {
  const windows = fold(windowOpened(1));
  expect(windowsReducer(windows, ofWindow(viewChanged({ view: 'login' }), 2))).toBe(windows);
  expect(windowsReducer(windows, viewChanged({ view: 'login' }))).toBe(windows);
  expect(windowsReducer(windows, ofWindow({ type: 'session/ended' }, 1))).toBe(windows);
  expect(windowsReducer(windows, windowShown(7))).toBe(windows);
});

/** Returns the state of a new window of the same size and assistant, in the same view. */
const newWindowLike = ({ view, page, assistant }: WindowState): WindowState => ({
  ...initialWindowState,
  view,
  page,
  assistant,
});

test.each([sessionEnded(), dataDeleted()])(
  'has windows that show what new ones of their size and assistant show after %j, whatever they showed before',
  (reset) => {
    checkProperty(
      fc.property(anyWindowState(), anyWindowState(), (first, second) => {
        const windows = fold(
          windowOpened(1),
          windowOpened(2),
          windowShown(2),
          ofWindow(stateReported({ state: first }), 1),
          ofWindow(stateReported({ state: second }), 2),
        );
        expect(windowsReducer(windows, reset)).toEqual({
          1: { ...windows[1], own: newWindowLike(first) },
          2: { ...windows[2], own: newWindowLike(second) },
        });
      }),
    );
  },
);

test('marks an action with its window, and keeps it in main', () => {
  const action = ofWindow(viewChanged({ view: 'login' }), 3);
  expect(windowOf(action)).toBe(3);
  expect(isLocal(action)).toBe(true);
  expect(isLocal(windowOpened(1))).toBe(true);
  expect([undefined, {}, { meta: {} }, { meta: { window: 'x' } }].map(windowOf)).toEqual(
    Array.from({ length: 4 }),
  );
});
