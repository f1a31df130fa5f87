import { expect, test } from 'vitest';
import { sampleActions } from '#tests/builders/sampleActions.ts';
import * as act from '../actions/windowActions.ts';
import { type WindowState } from '../actions/windowSchemas.ts';
import { NO_ACTION } from '../isOfType.ts';
import { STATE_TEXT_LENGTH } from '../limits.ts';
import { alertsReducer, dialogReducer } from './overlayState.ts';
import { initialWindowState, windowStateReducer } from './windowState.ts';
import { placeReducer, signInFormReducer, textBoxReducer } from './windowState.ts';
import { sessionEnded } from '../actions/sessionActions.ts';
import { dataDeleted, windowClosed, windowOpened, windowShown } from '../actions/mainActions.ts';
import { type WindowsState, ofWindow, windowsReducer } from './openWindows.ts';

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

/** A state of a window in which each slice has a value that a new window does not have. */
const FULL = [
  ...sampleActions().filter(act.stateReported.match),
  act.imageOpened({ message: 1, item: 0 }),
  act.imageZoomed({ factor: 2, x: 0, y: 0 }),
  act.textBoxOpened({ text: 'Why?', edits: 'q' }),
  act.placeLeft({ messages: 1, isAway: true }),
].reduce(windowStateReducer, initialWindowState);

const { view, page, assistant } = FULL;
const NEW_LIKE_FULL: WindowState = { ...initialWindowState, view, page, assistant };

test('shows in another view what a new window of its size and assistant shows, whatever it showed before', () => {
  const full = new Map(Object.entries(FULL));
  const asNew = Object.entries(initialWindowState).filter(([name, value]) => full.get(name) === value);
  expect(asNew).toEqual([]);
  const splash = windowStateReducer(FULL, act.viewChanged({ view: 'splash' }));
  expect(splash).toEqual({ ...NEW_LIKE_FULL, view: 'splash' });
});

test('alerts are shown one after the other, with ids of their own', () => {
  const waiting = ['one', 'two', 'two'].map((text, id) => ({ id, text }));
  const shown = waiting.map(({ text }) => act.alertShown({ text }));
  const alerts = shown.reduce(alertsReducer, alertsReducer(undefined, { type: '' }));
  expect(alerts).toEqual({ nextId: 3, waiting });
  expect(alertsReducer(alerts, act.alertDismissed()).waiting[0]?.text).toBe('two');
});

test('keeps the choice of "Delete my data" until the dialog is opened again', () => {
  const contents = { folder: '/home/ada/.parley', isPlatformBuiltIn: true };
  const deleteData = act.dialogOpened({ dialog: 'deleteData', contents });
  const chosen = [deleteData, act.platformFileChosen({ platformFile: true })].reduce(dialogReducer, null);
  expect(chosen).toMatchObject({ platformFile: true, isDeleting: false });
  const confirmed = dialogReducer(chosen, act.deletionConfirmed({ platformFile: true }));
  expect(confirmed).toMatchObject({ platformFile: true, isDeleting: true });
  expect(dialogReducer(confirmed, deleteData)).toMatchObject({ platformFile: false, isDeleting: false });
});

const away = (messages: number) => act.placeLeft({ messages, isAway: true });
const scrolledUp = (messages: number) => act.placeLeft({ messages, isAway: false });
const returned = (messages: number) => act.placeReturned({ messages });

test.each<[string, Parameters<typeof placeReducer>[1][], (number | null)[]]>([
  ['keeps the first of two places that were left', [scrolledUp(3), away(5)], [3, null]],
  ['has a divider after a return to new messages', [away(3), returned(5)], [null, 3]],
  ['has none after a return without new messages', [away(3), returned(3)], [null, null]],
  ['keeps it while the person scrolls', [away(3), returned(5), scrolledUp(5), returned(5)], [null, 3]],
  ['moves it to what arrived in the meantime', [away(3), returned(5), scrolledUp(5), returned(7)], [null, 5]],
  ['begins again when none is opened', [away(3), act.startFailureChanged({ failure: null })], [null, null]],
])('%s', (_, actions, [leftAt, divider]) => {
  const place = actions.reduce(placeReducer, placeReducer(undefined, NO_ACTION));
  expect(place).toEqual({ leftAt, divider });
});

const formAfter = (...actions: Parameters<typeof signInFormReducer>[1][]) =>
  actions.reduce(signInFormReducer, signInFormReducer(undefined, { type: '' }));

test('the form is busy without an error from the request to the answer, and another, empty one after the data was deleted', () => {
  const edited = act.signInFormEdited({ email: 'ada@example.org', name: 'Ada Lovelace' });
  const [submitted, answered] = [act.signInFormSubmitted(), act.signInFormAnswered({ error: 'No.' })];
  expect(formAfter(edited, submitted, answered)).toMatchObject({ isBusy: false, error: 'No.' });
  expect(formAfter(edited, submitted, answered, submitted)).toMatchObject({ isBusy: true, error: null });
  const shown = [edited, act.charactersShown({ isShown: true })];
  expect(formAfter(...shown).showsCharacters).toBe(true);
  expect(formAfter(...shown, act.signInFormCleared())).toEqual({ ...formAfter(), cleared: 1 });
});

test('cuts a text that is too long, but never within a character', () => {
  const fitting = 'x'.repeat(STATE_TEXT_LENGTH - 1);
  expect(textBoxReducer(null, act.textBoxEdited({ text: `${fitting}😀` }))).toBe(fitting);
});

test('a question is edited from its text in the text box until the box closes, and a window that edits none has no field for it', () => {
  const editing = windowStateReducer(initialWindowState, act.textBoxOpened({ text: 'Why?', edits: 'q' }));
  expect(editing).toEqual({ ...initialWindowState, textBox: 'Why?', editing: 'q' });
  expect(windowStateReducer(editing, act.textBoxRefused({ length: 300 }))).toBe(editing);
  const changed = windowStateReducer(editing, act.textBoxEdited({ text: 'How?' }));
  expect(changed).toEqual({ ...editing, textBox: 'How?' });
  const failed = act.startFailureChanged({ failure: { canSave: true } });
  for (const end of [act.textBoxClosed(), act.textBoxSent(), failed, act.viewChanged({ view: 'login' })])
    expect(windowStateReducer(changed, end)).not.toHaveProperty('editing');
  expect(windowStateReducer(changed, act.startFailureChanged({ failure: null })).editing).toBe('q');
  const opened = windowStateReducer(initialWindowState, act.textBoxOpened({ text: 'a' }));
  expect(opened).not.toHaveProperty('editing');
});

const foldWindows = (...actions: Parameters<typeof windowsReducer>[1][]): WindowsState =>
  actions.reduce(windowsReducer, windowsReducer(undefined, { type: '' }));

test('contains each window until it is closed, and folds the actions of its state into that window only; after the session and the deletion of its data, windows show what new ones of their size and assistant show', () => {
  const changes = [act.viewChanged({ view: 'conversation' }), act.textBoxOpened({ text: 'h' })];
  const ofSecond = changes.map((action) => ofWindow(action, 2));
  const windows = foldWindows(...[1, 2, 3].map(windowOpened), ...ofSecond, windowClosed(3));
  expect(Object.keys(windows)).toEqual(['1', '2']);
  expect(windows[1]?.own).toBe(initialWindowState);
  expect(windows[2]?.own).toEqual({ ...initialWindowState, view: 'conversation', textBox: 'h' });
  const full = ofWindow(act.stateReported({ state: FULL }), 1);
  const shown = foldWindows(windowOpened(1), windowOpened(2), windowShown(2), full);
  for (const reset of [sessionEnded(), dataDeleted()])
    expect(windowsReducer(shown, reset)).toEqual({ ...shown, 1: { ...shown[1], own: NEW_LIKE_FULL } });
});
