import { action, actions, ownActions } from './records.mjs';
import { ABOUT, DELETION, HIT, LONGEST, SETTINGS } from './windowValues.mjs';

const ALERTS = 100;

/** Every act of a person in a window: what each one changes, and what it leaves. */
const ACTS = [
  ['view/changed', { view: 'login' }],
  ['signInForm/edited', { email: 'ada@example.org', name: 'Ada' }],
  ['signInForm/charactersShown', { isShown: true }],
  ['signInForm/checked', { error: 'Not a valid email.' }],
  ['signInForm/submitted'],
  ['signInForm/answered', { error: 'No such account.' }],
  ['signInForm/charactersShown', { isShown: false }],
  ['signInForm/submitted'],
  ['signInForm/checked', { error: null }],
  ['signInForm/submitted'],
  ['signInForm/answered', { error: null }],
  ['signInForm/cleared'],
  ['signInForm/edited', { email: 'x', name: '' }],
  ['signInForm/cleared'],
  ['signInForm/edited', { email: 'y', name: 'z' }],
  ['signInForm/charactersShown', { isShown: true }],
  ['view/changed', { view: 'conversation' }],
  ['textBox/opened', { text: 'h' }],
  ['textBox/edited', { text: 'hi' }],
  ['textBox/refused', { length: 250 }],
  ['textBox/sent'],
  ['textBox/opened', { text: '' }],
  ['textBox/edited', { text: LONGEST }],
  ['textBox/closed'],
  ['fileDrop/entered'],
  ['fileDrop/left'],
  ['file/offered', { name: 'a.txt', size: 3, type: 'text/plain' }],
  ['file/sent', { name: 'a.txt', size: 3 }],
  ['file/refused', { name: 'b', size: 0, reason: 'folder' }],
  ['alerts/shown', { text: 'one' }],
  ['alerts/shown', { text: 'two' }],
  ['alerts/dismissed'],
  ['alerts/dismissed'],
  ['alerts/dismissed'],
  ['notes/shown', { text: 'Saved.', path: '/x' }],
  ['notes/shown', { text: 'Copied.' }],
  ['notes/dismissed'],
  ['dialog/opened', { dialog: 'settings', contents: SETTINGS }],
  ['dialog/platformFileChosen', { platformFile: true }],
  ['dialog/deletionConfirmed', { platformFile: true }],
  ['dialog/opened', { dialog: 'about', contents: ABOUT }],
  ['dialog/closed'],
  ['dialog/platformFileChosen', { platformFile: true }],
  ['dialog/deletionConfirmed', { platformFile: true }],
  ['dialog/opened', { dialog: 'deleteData', contents: DELETION }],
  ['dialog/platformFileChosen', { platformFile: true }],
  ['dialog/deletionConfirmed', { platformFile: false }],
  ['dialog/opened', { dialog: 'deleteData', contents: { ...DELETION, isPlatformBuiltIn: false } }],
  ['dialog/closed'],
  ['menu/opened'],
  ['menu/closed'],
  ['viewer/opened', { message: 1, item: 0 }],
  ['viewer/opened', { message: 0, item: 2 }],
  ['viewer/closed'],
  ['find/reached', { hit: HIT }],
  ['find/opened'],
  ['find/edited', { text: 'hi' }],
  ['find/reached', { hit: HIT }],
  ['find/edited', { text: LONGEST }],
  ['find/closed'],
  ['scroll/leftBottom'],
  ['scroll/reachedBottom'],
  ['place/returned', { messages: 1 }],
  ['place/left', { messages: 2, isAway: true }],
  ['place/left', { messages: 3, isAway: true }],
  ['place/returned', { messages: 3 }],
  ['place/left', { messages: 3, isAway: false }],
  ['place/returned', { messages: 3 }],
  ['place/returned', { messages: 9 }],
  ['place/left', { messages: 4, isAway: true }],
  ['place/returned', { messages: 4 }],
  ['place/left', { messages: 4, isAway: true }],
  ['place/returned', { messages: 5 }],
  ['soundProgress/changed', { at: 0.5, of: 3 }],
  ['soundProgress/changed', null],
];

/** What a change of the view, or a failed start, resets in a window. */
const RESETS = [
  ['view/changed', { view: 'conversation' }],
  ...[
    ['view/changed', { view: 'splash' }],
    ['startFailure/changed', { failure: { canSave: true } }],
    ['startFailure/changed', { failure: null }],
  ].flatMap((reset) => [
    ['signInForm/edited', { email: 'e', name: 'n' }],
    ['textBox/opened', { text: 'draft' }],
    ['fileDrop/entered'],
    ['menu/opened'],
    ['find/edited', { text: 'find' }],
    ['viewer/opened', { message: 1, item: 0 }],
    ['notes/shown', { text: 'note' }],
    ['alerts/shown', { text: 'alert' }],
    ['scroll/leftBottom'],
    ['place/left', { messages: 1, isAway: false }],
    reset,
  ]),
];

/** Every act in a window; then the same acts in a window that does not exist, and without a window. */
const windowActs = () => [
  action(0, 'window/opened', { number: 1 }),
  action(0, 'window/opened', { number: 2 }),
  ...ownActions(10, 1, [...ACTS, ...RESETS]),
  ...ownActions(2000, 3, ACTS.slice(0, 5)),
  ...actions(2100, ACTS.slice(0, 5)),
  ...ownActions(2200, 2, [
    ['view/changed', { view: 'login' }],
    ['textBox/opened', { text: 'in the other window' }],
  ]),
];

/** More alerts than are kept. */
const manyAlerts = () => [
  action(0, 'window/opened', { number: 1 }),
  ...ownActions(
    10,
    1,
    Array.from({ length: ALERTS + 2 }, (_, i) => ['alerts/shown', { text: `${i}` }]),
  ),
  ...ownActions(2000, 1, [['alerts/dismissed'], ['alerts/shown', { text: 'again' }]]),
];

/** The captures about the windows' own state. */
export const windowCaptures = {
  'many-alerts': manyAlerts,
  'window-acts': windowActs,
};
