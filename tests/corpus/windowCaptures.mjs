import { action, actions, ownActions } from './records.mjs';
import {
  ABOUT,
  ASSISTANT,
  DELETION,
  FAILED,
  HIT,
  LONGEST,
  SETTINGS,
  TESTED,
  TOO_LONG,
} from './windowValues.mjs';

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
  // The dialog of the assistant: also without it, in another one, and answers that come too late.
  ['dialog/assistantSubmitted', { work: 'test' }],
  ['dialog/assistantAnswered', { result: { kind: 'saved' } }],
  ['dialog/opened', { dialog: 'about', contents: ABOUT }],
  ['dialog/assistantSubmitted', { work: 'save' }],
  ['dialog/assistantAnswered', { result: { kind: 'saved' } }],
  ['dialog/opened', { dialog: 'assistant', contents: ASSISTANT }],
  ['dialog/assistantAnswered', { result: FAILED }],
  ['dialog/assistantSubmitted', { work: 'test' }],
  ['dialog/assistantAnswered', { result: FAILED }],
  ['dialog/assistantSubmitted', { work: 'test' }],
  ['dialog/assistantAnswered', { result: TESTED }],
  ['dialog/assistantSubmitted', { work: 'save' }],
  ['dialog/assistantAnswered', { result: FAILED }],
  ['dialog/assistantSubmitted', { work: 'save' }],
  ['dialog/assistantAnswered', { result: { kind: 'saved' } }],
  ['dialog/assistantAnswered', { result: TESTED }],
  ['dialog/opened', { dialog: 'assistant', contents: ASSISTANT }],
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

const PLACE = { message: 2, id: 'b', offset: -30 };
const TEXT = { message: 2, id: 'b', item: 0, part: 'text', steps: 1 };
const PAGE = { width: 480, height: 760, pixelRatio: 1 };

/** What a person does with what they read: each act with each of its outcomes. */
const READING = [
  ['page/resized', PAGE],
  ['view/changed', { view: 'conversation' }],
  ['page/resized', { width: 320, height: 507, pixelRatio: 1.5 }],
  ['scroll/leftBottom'],
  ['scroll/rested', PLACE],
  ['scroll/rested', { ...PLACE, message: 0, id: '', offset: 12 }],
  ['expansion/changed', TEXT],
  ...['items', 'markup', 'source', 'sourceText'].map((part) => ['expansion/changed', { ...TEXT, part }]),
  ['expansion/changed', { ...TEXT, item: null, part: 'items', steps: 2 }],
  ['expansion/changed', { ...TEXT, part: 'source', steps: 0 }],
  ['expansion/changed', { ...TEXT, id: LONGEST, message: 3 }],
  ...['copyText', 'copyMarkdown', 'copyHtml', 'quote', 'save', null].flatMap((choice) => [
    ['messageMenu/opened', { message: 2 }],
    ['messageMenu/closed', { choice }],
  ]),
  ...['selection', 'text', 'markdown', 'html', 'code'].flatMap((kind) =>
    ['copied', 'failed', 'cancelled'].map((outcome) => ['clipboard/copied', { kind, length: 12, outcome }]),
  ),
  ...['viewer', 'link', 'menu'].flatMap((by) =>
    ['started', 'unreadable'].map((outcome) => ['item/saved', { message: 1, item: 0, by, outcome }]),
  ),
  ['viewer/opened', { message: 1, item: 0 }],
  ['viewer/zoomed', { factor: 2.25, x: -40.5, y: 3 }],
  ['viewer/opened', { message: 1, item: 1 }],
  ['viewer/zoomed', { factor: 1.5, x: 0, y: 0 }],
  ['viewer/closed'],
  ...['html', 'markdown', 'text'].flatMap((format) => [
    ['work/started', { work: 'export', format }],
    ['work/ended', { work: 'export', outcome: 'done' }],
  ]),
  ...['done', 'cancelled', 'failed'].flatMap((outcome) => [
    ['work/started', { work: 'print', format: null }],
    ['work/ended', { work: 'print', outcome }],
  ]),
  ['scroll/reachedBottom'],
];

/** The same fields with values that do not fit: none of them changes anything. */
const REFUSED_READING = [
  ['page/resized', { ...PAGE, pixelRatio: 0 }],
  ['page/resized', { ...PAGE, width: 1.5 }],
  ['page/resized', { ...PAGE, more: 1 }],
  ['scroll/rested', { ...PLACE, offset: 0.5 }],
  ['scroll/rested', { ...PLACE, message: -1 }],
  ['scroll/rested', { message: 1, offset: 1 }],
  ['expansion/changed', { ...TEXT, part: 'other' }],
  ['expansion/changed', { ...TEXT, steps: -1 }],
  ['expansion/changed', { ...TEXT, id: TOO_LONG }],
  ['viewer/zoomed', { factor: 0, x: 0, y: 0 }],
  ['viewer/zoomed', { factor: 2, x: '0', y: 0 }],
  ['messageMenu/opened', {}],
  ['messageMenu/closed', { choice: 'other' }],
  ['messageMenu/closed', {}],
];

/** How a person reads a conversation, saves and copies parts of it, exports and prints it; what resets it; and what does not fit. */
const readingActs = () => [
  action(0, 'window/opened', { number: 1 }),
  ...ownActions(10, 1, READING),
  ...actions(
    1000,
    ['completed', 'cancelled', 'interrupted'].map((outcome) => ['download/ended', { outcome }]),
  ),
  ...ownActions(2000, 1, [
    ['scroll/rested', PLACE],
    ['expansion/changed', TEXT],
    ['messageMenu/opened', { message: 2 }],
    ['viewer/zoomed', { factor: 2, x: 1, y: 1 }],
    ...REFUSED_READING,
    ['startFailure/changed', { failure: { canSave: true } }],
    ['startFailure/changed', { failure: null }],
    ['scroll/rested', PLACE],
    ['expansion/changed', TEXT],
    ['messageMenu/opened', { message: 2 }],
    ['viewer/zoomed', { factor: 2, x: 1, y: 1 }],
    ['view/changed', { view: 'login' }],
  ]),
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

/** Acts and facts that repeat, or follow another one of their kind: each one counts as if it were the first. */
const windowRepeats = () => [
  action(0, 'window/opened', { number: 1 }),
  ...ownActions(10, 1, [
    ['signInForm/charactersShown', { isShown: true }],
    ['signInForm/charactersShown', { isShown: true }],
    ['startFailure/changed', { failure: { canSave: false } }],
    ['startFailure/changed', { failure: { canSave: true } }],
    ['startFailure/changed', { failure: { canSave: false } }],
    ['fileDrop/entered'],
    ['fileDrop/entered'],
    ['menu/opened'],
    ['menu/opened'],
    ['scroll/leftBottom'],
    ['scroll/leftBottom'],
    ['notes/shown', { text: 'one', path: '/x' }],
    ['notes/shown', { text: 'two' }],
    ['dialog/opened', { dialog: 'deleteData', contents: DELETION }],
    ['dialog/deletionConfirmed', { platformFile: true }],
    ['dialog/opened', { dialog: 'deleteData', contents: DELETION }],
    ['find/opened'],
    ['find/reached', { hit: HIT }],
    ['find/opened'],
  ]),
  ...['shown', 'shown', 'focused', 'focused', 'minimized', 'minimized'].map((fact, i) =>
    action(300 + i, `window/${fact}`, { number: 1 }),
  ),
  action(400, 'window/opened', { number: 1 }),
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
  'reading-acts': readingActs,
  'window-acts': windowActs,
  'window-repeats': windowRepeats,
};
