import { action, actions, ownActions } from './records.mjs';
import { ABOUT, TOO_LONG } from './windowValues.mjs';

const WINDOWS = ['opened', 'shown', 'hidden', 'focused', 'blurred', 'minimized', 'restored', 'closed'];

/** Acts whose payloads do not fit their types: none of them changes anything. */
const REFUSED = [
  ['view/changed', { view: 'other' }],
  ['view/changed', { view: 'login', more: 1 }],
  ['view/changed'],
  ['signInForm/edited', { email: 'e' }],
  ['signInForm/edited', { email: 'e', name: TOO_LONG }],
  ['signInForm/edited', { email: 'e', name: 'n', password: 'p' }],
  ['signInForm/charactersShown', { isShown: 1 }],
  ['signInForm/charactersShown', { isShown: true, more: 1 }],
  ['signInForm/checked', { error: 5 }],
  ['signInForm/checked', { error: 'e', more: 1 }],
  ['signInForm/answered', {}],
  ['signInForm/submitted', {}],
  ['signInForm/cleared', {}],
  ['textBox/opened', {}],
  ['textBox/opened', { text: TOO_LONG }],
  ['textBox/edited', { text: 5 }],
  ['textBox/edited', { text: 't', more: 1 }],
  ['textBox/closed', {}],
  ['textBox/sent', {}],
  ['fileDrop/entered', {}],
  ['fileDrop/left', {}],
  ['alerts/shown', {}],
  ['alerts/shown', { text: 't', more: 1 }],
  ['alerts/dismissed', {}],
  ['notes/shown', { text: 't', path: 5 }],
  ['notes/shown', { path: 'p' }],
  ['notes/shown', { text: 't', more: 1 }],
  ['notes/dismissed', {}],
  ['dialog/opened', { dialog: 'other', contents: ABOUT }],
  ['dialog/opened', { dialog: 'about', contents: {} }],
  ['dialog/opened', { dialog: 'about', contents: ABOUT, more: 1 }],
  ['dialog/platformFileChosen', { platformFile: 1 }],
  ['dialog/platformFileChosen', { platformFile: true, more: 1 }],
  ['dialog/deletionConfirmed', {}],
  ['dialog/closed', {}],
  ['menu/opened', {}],
  ['menu/closed', {}],
  ['viewer/opened', {}],
  ['viewer/opened', { message: 2, item: -1 }],
  ['viewer/opened', { message: 2, item: 2, more: 1 }],
  ['viewer/closed', {}],
  ['scroll/leftBottom', {}],
  ['scroll/reachedBottom', {}],
  ['place/left', { messages: 1 }],
  ['place/left', { messages: -1, isAway: true }],
  ['place/left', { messages: 1, isAway: true, more: 1 }],
  ['place/returned', {}],
  ['place/returned', { messages: 9, more: 1 }],
  ['startFailure/changed', {}],
  ['startFailure/changed', { failure: { canSave: 1 } }],
  ['startFailure/changed', { failure: null, more: 1 }],
  ['soundProgress/changed', { at: -1, of: 1 }],
  ['soundProgress/changed', { at: 1 }],
  ['soundProgress/changed'],
];

/** Acts of a window, each with a payload that does not fit. Their opposites come first, so that each one would show. */
const refusedActs = () => [
  action(0, 'window/opened', { number: 1 }),
  ...ownActions(10, 1, [
    ['view/changed', { view: 'conversation' }],
    ['signInForm/edited', { email: 'a', name: 'b' }],
    ['signInForm/checked', { error: 'stays' }],
    ['textBox/opened', { text: 'stays' }],
    ['fileDrop/entered'],
    ['alerts/shown', { text: 'stays' }],
    ['notes/shown', { text: 'stays' }],
    ['dialog/opened', { dialog: 'deleteData', contents: { folder: '/data', isPlatformBuiltIn: true } }],
    ['menu/opened'],
    ['viewer/opened', { message: 1, item: 1 }],
    ['scroll/leftBottom'],
    ['place/left', { messages: 2, isAway: false }],
    ['soundProgress/changed', { at: 1, of: 2 }],
  ]),
  ...ownActions(1000, 1, REFUSED),
  ...ownActions(2000, 1, [['scroll/reachedBottom'], ['menu/closed'], ['fileDrop/left']]),
  ...ownActions(2100, 1, REFUSED),
];

const ofEachKind = (payload) => WINDOWS.map((name) => [`window/${name}`, payload]);
const ofWindow = (number, ...names) => names.map((name) => [`window/${name}`, { number }]);

/** What happens to windows: each fact alone, for a window that does not exist, and with a payload that does not fit. */
const windowFacts = () => {
  return actions(0, [
    ...ofWindow(
      1,
      'opened',
      'shown',
      'focused',
      'minimized',
      'restored',
      'blurred',
      'hidden',
      'focused',
      'shown',
    ),
    ...ofWindow(2, 'opened', 'minimized', 'focused', 'shown', 'hidden', 'blurred', 'restored'),
    ...ofWindow(10, 'opened', 'shown'),
    ...ofEachKind({ number: 7 }).slice(1),
    ...[{ number: -1 }, { number: 1.5 }, { number: '1' }, {}, null, undefined].flatMap(ofEachKind),
    ...ofWindow(0, 'opened', 'closed'),
    ...ofWindow(1, 'closed', 'shown'),
    ...ofWindow(2, 'closed', 'closed'),
  ]);
};

const playback = (id, message, item) => ['audio/playbackStarted', { id, message, item }];
const audio = (...names) => names.map((name) => [`audio/${name}`]);

/** The audio module on and off: recordings and playbacks in every order. */
const audioModule = () => {
  return actions(0, [
    ...audio('recordingStarted'),
    playback('m', 0, 0),
    ...audio('started', 'recordingStarted', 'recordingStopped', 'recordingStarted', 'recordingCancelled'),
    playback('m', 0, 0),
    playback('n', 3, 1),
    ...audio('playbackEnded'),
    playback('', 1, 0),
    ...audio('recordingStarted', 'playbackCancelled'),
    playback('o', 2, 0),
    ...audio('recordingStopped', 'started', 'recordingStarted'),
    playback('p', 2, 0),
    ...audio('recordingCancelled', 'recordingStarted', 'stopped', 'recordingStarted', 'playbackEnded'),
    ...audio('started'),
    ...[{ id: 1 }, { message: -1 }, { item: 0.5 }, { id: undefined }, { message: '0' }].map((wrong) => [
      'audio/playbackStarted',
      { id: 'q', message: 0, item: 0, ...wrong },
    ]),
    ['audio/playbackStarted'],
  ]);
};

/** A recording and a playback at the same time: each one ends without the other. */
const audioOverlap = () =>
  actions(0, [
    ...audio('started'),
    playback('m', 0, 0),
    ...audio('recordingStarted', 'playbackEnded', 'recordingStopped', 'recordingStarted'),
    playback('n', 1, 0),
    ...audio('playbackCancelled'),
    playback('o', 2, 0),
    ...audio('recordingCancelled', 'recordingStarted', 'recordingStopped', 'recordingStarted', 'started'),
    ...audio('recordingStarted'),
    playback('p', 3, 0),
    ...audio('started', 'stopped'),
  ]);

const loaded = (stored, environment) => ['preferences/loaded', { stored, environment }];
const changed = (payload) => ['preferences/changed', payload];

/** The preferences: stored, set by the environment and changed; and payloads that do not fit. */
const preferences = () => {
  const wrong = [
    { audio: 1 },
    { theme: 'blue' },
    { theme: null },
    { sendAllFiles: 1 },
    { stayWhereIRead: 1 },
    { captureDays: 0 },
    { captureDays: 1.5 },
    { captureDays: '3' },
    { captureMegabytes: -1 },
    { captureMegabytes: 0.5 },
    { captureMegabytes: 0 },
    { colour: 'red' },
  ];
  return actions(0, [
    changed({ audio: true }),
    changed({ theme: 'dark', captureDays: null }),
    changed({ captureMegabytes: null, sendAllFiles: true }),
    changed({ stayWhereIRead: true }),
    changed({ stayWhereIRead: false }),
    loaded({}, {}),
    loaded({ audio: true, theme: 'light', captureDays: 1, captureMegabytes: 2, sendAllFiles: true }, {}),
    loaded({ audio: true, theme: 'light' }, { audio: false, captureDays: null }),
    changed({ audio: true, theme: 'system', captureDays: 7, captureMegabytes: 9 }),
    changed({}),
    loaded({ captureDays: 3 }, { theme: 'dark' }),
    changed({ theme: 'light' }),
    ...wrong.map(changed),
    ...wrong.flatMap((one) => [loaded(one, {}), loaded({}, one)]),
    ...[undefined, null, {}, { stored: {} }, { environment: {} }].map((payload) => [
      'preferences/loaded',
      payload,
    ]),
    ['preferences/changed'],
  ]);
};

/** The captures about acts and facts. */
export const actCaptures = {
  'audio-module': audioModule,
  'audio-overlap': audioOverlap,
  preferences,
  'refused-acts.gz': refusedActs,
  'window-facts': windowFacts,
};
