import { expect, test } from 'vitest';
import { sampleActions } from '#tests/builders/sampleActions.ts';
import * as act from '../actions/windowActions.ts';
import { MOST_EXPANDED, type WindowState } from '../actions/windowSchemas.ts';
import { NO_ACTION, isLocal } from '../isOfType.ts';
import { STATE_TEXT_LENGTH } from '../limits.ts';
import { alertsReducer, dialogReducer, viewerReducer } from './overlayState.ts';
import {
  initialWindowState,
  windowStateReducer,
  placeReducer,
  signInFormReducer,
  textBoxReducer,
} from './windowState.ts';
import { sessionEnded } from '../actions/sessionActions.ts';
import { dataDeleted, windowClosed, windowOpened, windowShown } from '../actions/mainActions.ts';
import { type WindowsState, ofWindow, windowOf, windowsReducer } from './openWindows.ts';

test('spec §3.1 row 1: shows the splash at first', () => {
  expect(initialWindowState.view).toBe('splash');
});

const PAGE = { width: 480, height: 760, pixelRatio: 1.25 };
const SCROLLED = { message: 3, id: 'a', offset: -20 };
const EXPANDED = { message: 3, id: 'a', item: null, part: 'items', steps: 2 } as const;

test.each([
  [act.viewChanged({ view: 'login' }), { view: 'login' }],
  [act.fileDropEntered(), { fileDrop: true }],
  [act.menuOpened(), { menu: true }],
  [act.noteShown({ text: 'Saved in', path: '/x' }), { notes: { text: 'Saved in', path: '/x' } }],
  [act.leftBottom(), { scroll: { isAtBottom: false } }],
  [act.leftBottom({ stays: true }), { scroll: { isAtBottom: false, stays: true } }],
  [act.reachedBottom({ pulledFrom: SCROLLED }), { scroll: { isAtBottom: true, pulledFrom: SCROLLED } }],
  [act.startFailureChanged({ failure: { canSave: true } }), { startFailure: { canSave: true } }],
  [act.soundProgressChanged({ at: 1.5, of: 3 }), { soundProgress: { at: 1.5, of: 3 } }],
  [act.findOpened(), { find: { text: '', hit: null } }],
  [act.findEdited({ text: 'hi' }), { find: { text: 'hi', hit: null } }],
  [act.hitReached({ hit: { message: 1, item: 0, start: 3 } }), {}],
  [act.pageResized(PAGE), { page: PAGE }],
  [act.scrollRested(SCROLLED), { scrolledTo: SCROLLED }],
  [act.expansionChanged(EXPANDED), { expanded: [EXPANDED] }],
  [act.imageZoomed({ factor: 1.50001, x: 3, y: -7.25 }), { viewerZoom: { factor: 1.5, x: 3, y: -7.25 } }],
  [act.messageMenuOpened({ message: 2 }), { messageMenu: 2 }],
])('changes only its slice with the action %j', (action, change) => {
  expect(windowStateReducer(initialWindowState, action)).toEqual({ ...initialWindowState, ...change });
});

test.each([
  [act.fileDropEntered(), act.fileDropLeft()],
  [act.menuOpened(), act.menuClosed()],
  [act.noteShown({ text: 'Saved.' }), act.noteDismissed()],
  [act.leftBottom(), act.reachedBottom()],
  [act.reachedBottom({ pulledFrom: SCROLLED }), act.reachedBottom()],
  [act.soundProgressChanged({ at: 0, of: 3 }), act.soundProgressChanged(null)],
  [act.findOpened(), act.findClosed()],
  [act.scrollRested(SCROLLED), act.reachedBottom()],
  [act.expansionChanged(EXPANDED), act.expansionChanged({ ...EXPANDED, id: 'b', steps: 0 })],
  [act.imageZoomed({ factor: 2, x: 0, y: 0 }), act.viewerClosed()],
  [act.messageMenuOpened({ message: 2 }), act.messageMenuClosed({ choice: 'quote' })],
])('is as before after %j and %j', (action, undo) => {
  expect(windowStateReducer(windowStateReducer(initialWindowState, action), undo)).toEqual(
    initialWindowState,
  );
});

test('replaces what is expanded of the same part only, and forgets the first of too many', () => {
  const [items, source] = [EXPANDED, { ...EXPANDED, part: 'source', steps: 1 } as const];
  const both = [items, source, { ...items, steps: 3 }]
    .map(act.expansionChanged)
    .reduce(windowStateReducer, initialWindowState);
  expect(both.expanded).toEqual([source, { ...items, steps: 3 }]);
  const many = Array.from({ length: MOST_EXPANDED + 1 }, (_, message) =>
    act.expansionChanged({ ...items, message }),
  );
  const { expanded } = many.reduce(windowStateReducer, initialWindowState);
  expect([expanded.length, expanded[0]?.message]).toEqual([MOST_EXPANDED, 1]);
});

test('keeps the text of the find bar at a hit, and drops the hit with the text', () => {
  const hit = { message: 1, item: 0, start: 3 };
  const shown = [act.findEdited({ text: 'hi' }), act.hitReached({ hit })].reduce(
    windowStateReducer,
    initialWindowState,
  );
  expect(shown.find).toEqual({ text: 'hi', hit });
  expect(windowStateReducer(shown, act.findEdited({ text: 'his' })).find).toEqual({ text: 'his', hit: null });
  expect(windowStateReducer(shown, act.startFailureChanged({ failure: null })).find).toBe(shown.find);
  expect(windowStateReducer(shown, act.startFailureChanged({ failure: { canSave: true } })).find).toBeNull();
});

/** A state of a window in which each slice has a value that a new window does not have. */
const FULL = [
  ...sampleActions().filter(act.stateReported.match),
  act.imageOpened({ message: 1, item: 0 }),
  act.imageZoomed({ factor: 2, x: 0, y: 0 }),
  act.textBoxOpened({ text: 'Why?', edits: 'q' }),
  act.placeLeft({ messages: 1, isAway: true }),
].reduce(windowStateReducer, initialWindowState);

/** The state of a new window of the same size and assistant. */
const NEW_LIKE_FULL: WindowState = {
  ...initialWindowState,
  view: FULL.view,
  page: FULL.page,
  assistant: FULL.assistant,
};

test('shows in another view what a new window of its size and assistant shows, whatever it showed before', () => {
  const full = new Map(Object.entries(FULL));
  const asNew = Object.entries(initialWindowState).filter(([name, value]) => full.get(name) === value);
  expect(asNew).toEqual([]);
  expect(windowStateReducer(FULL, act.viewChanged({ view: 'splash' }))).toEqual({
    ...NEW_LIKE_FULL,
    view: 'splash',
  });
});

test('keeps its reference when an action changes nothing', () => {
  expect(windowStateReducer(initialWindowState, { type: 'update/applied' })).toBe(initialWindowState);
});

const alertsOf = (...texts: readonly string[]) =>
  texts.map((text) => act.alertShown({ text })).reduce(alertsReducer, alertsReducer(undefined, { type: '' }));

test('are shown one after the other, with ids of their own', () => {
  const alerts = alertsOf('one', 'two', 'two');
  const waiting = ['one', 'two', 'two'].map((text, id) => ({ id, text }));
  expect(alerts).toEqual({ nextId: 3, waiting });
  expect(alertsReducer(alerts, act.alertDismissed()).waiting[0]?.text).toBe('two');
});

const about = act.dialogOpened({
  dialog: 'about',
  contents: { parley: '1.0.0', host: 'Electron', chromium: null, node: '22', licence: 'MIT' },
});
const deleteData = act.dialogOpened({
  dialog: 'deleteData',
  contents: { folder: '/home/ada/.parley', isPlatformBuiltIn: true },
});

test('keeps the choice of "Delete my data" until the dialog is opened again', () => {
  const chosen = [deleteData, act.platformFileChosen({ platformFile: true })].reduce(dialogReducer, null);
  expect(chosen).toMatchObject({ platformFile: true, isDeleting: false });
  const confirmed = dialogReducer(chosen, act.deletionConfirmed({ platformFile: true }));
  expect(confirmed).toMatchObject({ platformFile: true, isDeleting: true });
  expect(dialogReducer(confirmed, deleteData)).toMatchObject({ platformFile: false, isDeleting: false });
});

const assistantDialog = act.dialogOpened({
  dialog: 'assistant',
  contents: { url: '', model: '', prompt: '', hasKey: false, variables: [] },
});
const testing = [assistantDialog, act.assistantSubmitted({ work: 'test' })].reduce(dialogReducer, null);
const failed = act.assistantAnswered({ result: { kind: 'failed', field: 'key', message: 'Wrong key.' } });
const tested = act.assistantAnswered({ result: { kind: 'tested', model: 'a', models: ['a', 'b'] } });

test('shows the work for the assistant, then its result', () => {
  expect(testing).toMatchObject({ work: 'test', result: null });
  expect(dialogReducer(testing, failed)).toMatchObject({ work: null, result: failed.payload.result });
});

test('offers the models of the last successful test', () => {
  const again = [tested, act.assistantSubmitted({ work: 'test' }), failed].reduce(dialogReducer, testing);
  expect(again).toMatchObject({ models: ['a', 'b'], result: { kind: 'failed' } });
});

test('ignores a result that comes after the dialog was closed or opened again', () => {
  const opened = dialogReducer(null, assistantDialog);
  for (const state of [null, opened, dialogReducer(null, about)])
    for (const answer of [failed, tested, act.assistantAnswered({ result: { kind: 'saved' } })])
      expect(dialogReducer(state, answer)).toBe(state);
});

test('shows the models in their menu, or why a model was not chosen, until one is', () => {
  const opened = dialogReducer(null, act.dialogOpened({ dialog: 'models' }));
  expect(opened).toEqual({ dialog: 'models', result: null });
  const listed = dialogReducer(opened, tested);
  expect(listed).toEqual({ dialog: 'models', result: tested.payload.result });
  expect(dialogReducer(listed, failed)).toEqual({ dialog: 'models', result: failed.payload.result });
  expect(dialogReducer(listed, act.assistantAnswered({ result: { kind: 'chosen' } }))).toBeNull();
});

const fold = (...actions: Parameters<typeof placeReducer>[1][]) =>
  actions.reduce(placeReducer, placeReducer(undefined, NO_ACTION));
const away = (messages: number) => act.placeLeft({ messages, isAway: true });
const scrolledUp = (messages: number) => act.placeLeft({ messages, isAway: false });
const returned = (messages: number) => act.placeReturned({ messages });

test.each<[string, Parameters<typeof placeReducer>[1][], object]>([
  ['keeps the first of two places that were left', [scrolledUp(3), away(5)], { leftAt: 3, divider: null }],
  ['has a divider after a return to new messages', [away(3), returned(5)], { leftAt: null, divider: 3 }],
  ['has none after a return without new messages', [away(3), returned(3)], { leftAt: null, divider: null }],
  [
    'keeps the divider while the person scrolls',
    [away(3), returned(5), scrolledUp(5), returned(5)],
    { leftAt: null, divider: 3 },
  ],
  [
    'moves it to what arrived while the person had scrolled up',
    [away(3), returned(5), scrolledUp(5), returned(7)],
    { leftAt: null, divider: 5 },
  ],
  ['drops it when the window loses the focus', [away(3), returned(5), away(6)], { leftAt: 6, divider: null }],
  ['stays the same after a second return', [away(3), returned(5), returned(9)], { leftAt: null, divider: 3 }],
  [
    'begins again when the conversation is not opened',
    [away(3), act.startFailureChanged({ failure: null })],
    { leftAt: null, divider: null },
  ],
])('%s', (_, actions, place) => {
  expect(fold(...actions)).toEqual(place);
});

const foldForm = (...actions: Parameters<typeof signInFormReducer>[1][]) =>
  actions.reduce(signInFormReducer, signInFormReducer(undefined, { type: '' }));

const edited = act.signInFormEdited({ email: 'ada@example.org', name: 'Ada Lovelace' });

test('keeps the fields and its error until it is checked again', () => {
  expect(foldForm(edited, act.signInFormChecked({ error: 'Not a valid email.' }), edited)).toEqual({
    ...initialWindowState.signInForm,
    ...edited.payload,
    error: 'Not a valid email.',
  });
});

test('is busy without an error from the request to the answer', () => {
  const refused = foldForm(edited, act.signInFormSubmitted(), act.signInFormAnswered({ error: 'No.' }));
  expect(refused).toMatchObject({ isBusy: false, error: 'No.' });
  expect(signInFormReducer(refused, act.signInFormSubmitted())).toMatchObject({ isBusy: true, error: null });
});

test('is another, empty form after the data was deleted', () => {
  const shown = foldForm(edited, act.charactersShown({ isShown: true }));
  expect(shown.showsCharacters).toBe(true);
  expect(signInFormReducer(shown, act.signInFormCleared())).toEqual({ ...foldForm(), cleared: 1 });
});

test('cuts fields and errors that are too long', () => {
  const long = 'x'.repeat(STATE_TEXT_LENGTH + 1);
  expect(foldForm(act.signInFormEdited({ email: long, name: long })).email).toHaveLength(STATE_TEXT_LENGTH);
  expect(foldForm(act.signInFormAnswered({ error: long })).error).toHaveLength(STATE_TEXT_LENGTH);
});

test('cuts a text that is too long, but never within a character', () => {
  const text = `${'x'.repeat(STATE_TEXT_LENGTH - 1)}😀`;
  expect(textBoxReducer(null, act.textBoxEdited({ text }))).toBe('x'.repeat(STATE_TEXT_LENGTH - 1));
});

const firstImage = act.imageOpened({ message: 1, item: 0 });

test.each<[string, Parameters<typeof viewerReducer>[1][], object | null]>([
  ['is closed at first', [], null],
  [
    'shows the image that was opened last',
    [firstImage, act.imageOpened({ message: 3, item: 2 })],
    { message: 3, item: 2 },
  ],
  ['shows nothing after it was closed', [firstImage, act.viewerClosed()], null],
  [
    'closes when the conversation is not opened',
    [firstImage, act.startFailureChanged({ failure: { canSave: true } })],
    null,
  ],
])('%s', (_, actions, place) => {
  expect(actions.reduce(viewerReducer, viewerReducer(undefined, NO_ACTION))).toEqual(place);
});

test('a question is edited from its text in the text box until the box closes, and a window that edits none has no field for it', () => {
  const editing = windowStateReducer(initialWindowState, act.textBoxOpened({ text: 'Why?', edits: 'q' }));
  expect(editing).toEqual({ ...initialWindowState, textBox: 'Why?', editing: 'q' });
  expect(windowStateReducer(editing, act.textBoxRefused({ length: 300 }))).toBe(editing);
  const changed = windowStateReducer(editing, act.textBoxEdited({ text: 'How?' }));
  expect(changed).toEqual({ ...editing, textBox: 'How?' });
  for (const end of [
    act.textBoxClosed(),
    act.textBoxSent(),
    act.startFailureChanged({ failure: { canSave: true } }),
  ])
    expect(windowStateReducer(changed, end)).not.toHaveProperty('editing');
  expect(windowStateReducer(changed, act.startFailureChanged({ failure: null })).editing).toBe('q');
  expect(windowStateReducer(changed, act.viewChanged({ view: 'login' }))).not.toHaveProperty('editing');
  expect(windowStateReducer(initialWindowState, act.textBoxOpened({ text: 'a' }))).not.toHaveProperty(
    'editing',
  );
});

const foldWindows = (...actions: Parameters<typeof windowsReducer>[1][]): WindowsState =>
  actions.reduce(windowsReducer, windowsReducer(undefined, { type: '' }));

test('contains each window from its opening until it is closed', () => {
  expect(foldWindows(windowOpened(1), windowOpened(2), windowClosed(1))).toEqual({
    2: { isFocused: false, isMinimized: false, isVisible: false, own: initialWindowState },
  });
});

test('folds the actions of a window’s state into that window only', () => {
  const windows = foldWindows(
    windowOpened(1),
    windowOpened(2),
    ofWindow(act.viewChanged({ view: 'conversation' }), 2),
    ofWindow(act.textBoxOpened({ text: 'h' }), 2),
  );
  expect(windows[1]?.own).toBe(initialWindowState);
  expect(windows[2]?.own).toEqual({ ...initialWindowState, view: 'conversation', textBox: 'h' });
});

test('ignores an action of a window that is not open, an action without a window, and an action of another store', () => {
  const windows = foldWindows(windowOpened(1));
  expect(windowsReducer(windows, ofWindow(act.viewChanged({ view: 'login' }), 2))).toBe(windows);
  expect(windowsReducer(windows, act.viewChanged({ view: 'login' }))).toBe(windows);
  expect(windowsReducer(windows, ofWindow({ type: 'session/ended' }, 1))).toBe(windows);
  expect(windowsReducer(windows, windowShown(7))).toBe(windows);
});

test.each([sessionEnded(), dataDeleted()])(
  'has windows that show what new ones of their size and assistant show after %j, whatever they showed before',
  (reset) => {
    const windows = foldWindows(
      windowOpened(1),
      windowOpened(2),
      windowShown(2),
      ofWindow(act.stateReported({ state: FULL }), 1),
    );
    expect(windowsReducer(windows, reset)).toEqual({
      1: { ...windows[1], own: NEW_LIKE_FULL },
      2: windows[2],
    });
  },
);

test('marks an action with its window, and keeps it in main', () => {
  const action = ofWindow(act.viewChanged({ view: 'login' }), 3);
  expect(windowOf(action)).toBe(3);
  expect(isLocal(action)).toBe(true);
  expect(isLocal(windowOpened(1))).toBe(true);
  expect([undefined, {}, { meta: {} }, { meta: { window: 'x' } }].map(windowOf)).toEqual(
    Array.from({ length: 4 }),
  );
});
