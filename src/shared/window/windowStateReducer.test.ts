import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyWindowState } from '#tests/builders/anyWindowState.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import {
  expansionChanged,
  fileDropEntered,
  fileDropLeft,
  findClosed,
  findEdited,
  findOpened,
  hitReached,
  imageZoomed,
  leftBottom,
  menuClosed,
  menuOpened,
  messageMenuClosed,
  messageMenuOpened,
  noteDismissed,
  noteShown,
  pageResized,
  reachedBottom,
  scrollRested,
  soundProgressChanged,
  startFailureChanged,
  stateReported,
  viewChanged,
  viewerClosed,
} from '../actions/windowActions.ts';
import { initialWindowState, windowStateReducer } from './windowStateReducer.ts';
import { MOST_EXPANDED, viewSchema } from '../actions/windowSchemas.ts';

test('spec §3.1 row 1: shows the splash, and nothing else, at first', () => {
  expect(initialWindowState).toMatchInlineSnapshot(`
    {
      "alerts": {
        "nextId": 0,
        "waiting": [],
      },
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
    }
  `);
});

const PAGE = { width: 480, height: 760, pixelRatio: 1.25 };
const SCROLLED = { message: 3, id: 'a', offset: -20 };
const EXPANDED = { message: 3, id: 'a', item: null, part: 'items', steps: 2 } as const;

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
  [pageResized(PAGE), { page: PAGE }],
  [scrollRested(SCROLLED), { scrolledTo: SCROLLED }],
  [expansionChanged(EXPANDED), { expanded: [EXPANDED] }],
  [imageZoomed({ factor: 1.50001, x: 3, y: -7.25 }), { viewerZoom: { factor: 1.5, x: 3, y: -7.25 } }],
  [messageMenuOpened({ message: 2 }), { messageMenu: 2 }],
])('changes only its slice with the action %j', (action, change) => {
  expect(windowStateReducer(initialWindowState, action)).toEqual({ ...initialWindowState, ...change });
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
  [scrollRested(SCROLLED), reachedBottom()],
  [scrollRested(SCROLLED), startFailureChanged({ failure: null })],
  [expansionChanged(EXPANDED), expansionChanged({ ...EXPANDED, id: 'b', steps: 0 })],
  [expansionChanged(EXPANDED), startFailureChanged({ failure: null })],
  [imageZoomed({ factor: 2, x: 0, y: 0 }), viewerClosed()],
  [messageMenuOpened({ message: 2 }), messageMenuClosed({ choice: 'quote' })],
  [findOpened(), viewChanged({ view: 'splash' })],
])('is as before after %j and %j', (act, undo) => {
  expect(windowStateReducer(windowStateReducer(initialWindowState, act), undo)).toEqual(initialWindowState);
});

test('replaces what is expanded of the same part only, and forgets the first of too many', () => {
  const [items, source] = [EXPANDED, { ...EXPANDED, part: 'source', steps: 1 } as const];
  const both = [items, source, { ...items, steps: 3 }]
    .map(expansionChanged)
    .reduce(windowStateReducer, initialWindowState);
  expect(both.expanded).toEqual([source, { ...items, steps: 3 }]);
  const many = Array.from({ length: MOST_EXPANDED + 1 }, (_, message) =>
    expansionChanged({ ...items, message }),
  );
  const { expanded } = many.reduce(windowStateReducer, initialWindowState);
  expect([expanded.length, expanded[0]?.message]).toEqual([MOST_EXPANDED, 1]);
});

test('does not know the progress of a sound without a length', () => {
  expect(soundProgressChanged({ at: 0, of: Number.NaN }).payload).toBeNull();
  expect(soundProgressChanged({ at: 0, of: Number.POSITIVE_INFINITY }).payload).toBeNull();
});

test('keeps the text of the find bar at a hit, and drops the hit with the text', () => {
  const hit = { message: 1, item: 0, start: 3 };
  const shown = [findEdited({ text: 'hi' }), hitReached({ hit })].reduce(
    windowStateReducer,
    initialWindowState,
  );
  expect(shown.find).toEqual({ text: 'hi', hit });
  expect(windowStateReducer(shown, findEdited({ text: 'his' })).find).toEqual({ text: 'his', hit: null });
  expect(windowStateReducer(shown, startFailureChanged({ failure: null })).find).toBe(shown.find);
  expect(windowStateReducer(shown, startFailureChanged({ failure: { canSave: true } })).find).toBeNull();
});

test('shows in another view what a new window of its size shows, whatever it showed before', () => {
  checkProperty(
    fc.property(anyWindowState(), fc.constantFrom(...viewSchema.options), (state, view) => {
      expect(windowStateReducer(state, viewChanged({ view }))).toEqual({
        ...initialWindowState,
        view,
        page: state.page,
      });
    }),
  );
});

test('keeps its reference when an action changes nothing', () => {
  expect(windowStateReducer(initialWindowState, { type: 'update/applied' })).toBe(initialWindowState);
});

test('is replaced by a whole state', () => {
  const state = { ...initialWindowState, textBox: 'hi' };
  expect(windowStateReducer(initialWindowState, stateReported({ state }))).toBe(state);
});
