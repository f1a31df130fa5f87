import { action, actions, ownAction, ownActions, received, receivedEach, textItem } from './records.mjs';
import { OWN } from './windowValues.mjs';

const HELLO = { category: 'html', text: 'Hello', html: '<p>Hello</p>', blob: null };

/** Returns the first records of a recording that begins when a session ends: synthetic actions. */
const continued = (list) =>
  list.map(([type, payload, window]) => ({
    ...action(0, type, payload),
    ...(window !== undefined && { window }),
    synthetic: true,
  }));

/** Returns the synthetic actions of an open window, which shows the view of the session before and nothing else. */
const openWindow = (number, view, facts) => [
  ['window/opened', { number }],
  ['window/stateReported', { state: { ...OWN, view } }, number],
  ...facts.map((fact) => [fact, { number }]),
];

/** Returns the records of an open window that shows the sign-in form, and then the conversation. */
const signIn = (start, window, email) => [
  ...ownActions(start, window, [
    ['view/changed', { view: 'login' }],
    ['signInForm/edited', { email, name: '' }],
    ['signInForm/submitted'],
  ]),
  action(start + 30, 'signIn/requested'),
  action(start + 90, 'signIn/accepted'),
  { t: start + 100.25, type: 'launch' },
  ownAction(start + 101, window, ['view/changed', { view: 'conversation' }]),
  { t: start + 110, type: 'open' },
];

/** Ada signs out while both windows stay open, with what she has typed and searched; ten messages are unread. */
const signOut = () => [
  action(0, 'preferences/loaded', { stored: { theme: 'dark' }, environment: { audio: true } }),
  ...actions(1, [
    ['window/opened', { number: 1 }],
    ['window/shown', { number: 1 }],
    ['window/opened', { number: 2 }],
    ['window/shown', { number: 2 }],
    ['audio/started'],
  ]),
  ...signIn(100, 1, 'ada@example.org'),
  received(220, { person: 'Ada Lovelace', messages: [], words: ['stop', 'again'], theme: 4 }),
  action(225, 'connection/confirmed'),
  ...receivedEach(
    230,
    Array.from({ length: 10 }, (_, i) => ({ id: `m${i}`, modifier: 'ai', content: [textItem(`${i}`)] })),
  ),
  received(250, 'no update'),
  { t: 260, type: 'send', data: '{"category":"text","text":"a","blob":null}' },
  action(270, 'message/dropped', { category: 'text' }),
  ownAction(300, 2, ['view/changed', { view: 'conversation' }]),
  ...ownActions(310, 1, [
    ['textBox/opened', { text: 'a draft' }],
    ['find/opened'],
    ['find/edited', { text: 'secret' }],
    ['notes/shown', { text: 'Copied.' }],
    ['scroll/leftBottom'],
  ]),
  ownAction(400, 2, ['alerts/shown', { text: 'An alert.' }]),
  action(410, 'preferences/changed', { theme: 'light' }),
  action(420, 'backlog/reported', { updates: 20 }),
  action(1600, 'signOut/requested'),
  { t: 1601, type: 'close', code: 1000, reason: 'logout' },
  action(1602, 'session/ended'),
];

/** Grace signs in after Ada: nothing of Ada's session is left. The second window is closed before. */
const signOutThen = () => [
  ...continued([
    ['preferences/loaded', { stored: { theme: 'light' }, environment: { audio: true } }],
    ['audio/started'],
    ...openWindow(1, 'conversation', ['window/shown']),
    ...openWindow(2, 'conversation', ['window/shown']),
  ]),
  action(5, 'window/closed', { number: 2 }),
  ...signIn(50, 1, 'grace@example.org'),
  received(170, { person: 'Grace Hopper', messages: [{ id: 'g', modifier: 'client', content: [HELLO] }] }),
  ...receivedEach(180, [{ id: 'h', modifier: 'ai', content: [HELLO] }, { text: 'Hi' }, { context: 'c' }], 5),
  action(300, 'attention/gained'),
  ownAction(310, 1, ['find/opened']),
  action(900, 'signOut/requested'),
  { t: 901, type: 'close', code: 1000, reason: 'logout' },
  action(902, 'session/ended'),
];

/** The platform ends the session with `unauthorized`, after a lost connection whose time of the next attempt was known. */
const unauthorized = () => [
  action(1, 'window/opened', { number: 1 }),
  action(2, 'window/shown', { number: 1 }),
  action(3, 'window/focused', { number: 1 }),
  action(4, 'attention/gained'),
  ...signIn(10, 1, 'ada@example.org'),
  received(130, { person: 'Ada Lovelace', messages: [] }),
  action(135, 'connection/confirmed'),
  { t: 400, type: 'close', code: 1006, reason: '', retryAt: 1_795_255_201_400 },
  { t: 1400, type: 'open' },
  received(1450, { modifier: 'ai', content: [textItem('back')] }),
  { t: 1700, type: 'close', code: 1000, reason: 'unauthorized' },
  action(1701, 'session/ended'),
  ownAction(1702, 1, ['alerts/shown', { text: 'You were signed out.' }]),
];

/** The same person signs in again; the connection is lost before the platform has answered. */
const unauthorizedThen = () => [
  ...continued([
    ...openWindow(1, 'conversation', ['window/shown', 'window/focused']),
    ['attention/gained'],
  ]).map((record) =>
    record.action.type === 'window/stateReported'
      ? withOwn(record, { alerts: { waiting: [{ id: 0, text: 'You were signed out.' }], nextId: 1 } })
      : record,
  ),
  ownAction(3, 1, ['alerts/dismissed']),
  ...signIn(20, 1, 'ada@example.org'),
  { t: 200, type: 'close', code: 1006, reason: '' },
  received(260, { person: 'Ada Lovelace', messages: [{ id: 'a', modifier: 'ai' }] }),
  action(700, 'connection/requested'),
];

/** Returns the record of a reported state with other slices. */
const withOwn = (record, slices) => ({
  ...record,
  action: { ...record.action, payload: { state: { ...record.action.payload.state, ...slices } } },
});

/** The session ends while updates wait, and the windows have a draft, a dialog and a form. */
const endedWaiting = () => [
  ...actions(1, [
    ['window/opened', { number: 1 }],
    ['window/opened', { number: 3 }],
    ['window/minimized', { number: 3 }],
    ['attention/gained'],
    ['attention/lost'],
  ]),
  ...signIn(100, 3, 'ada@example.org'),
  received(220, { person: 'Ada Lovelace', messages: [{ id: 'a', modifier: 'ai' }], words: ['continue'] }),
  ...receivedEach(
    230,
    Array.from({ length: 30 }, (_, i) => ({ id: `w${i}`, modifier: 'ai' })),
  ),
  action(300, 'backlog/reported', { updates: 29 }),
  ownAction(310, 1, ['signInForm/edited', { email: 'x', name: 'y' }]),
  ...ownActions(320, 3, [
    ['textBox/opened', { text: 'unsent' }],
    ['menu/opened'],
    [
      'dialog/opened',
      {
        dialog: 'about',
        contents: { parley: '0.2.0', host: 'web', chromium: null, node: '20', licence: 'MIT' },
      },
    ],
  ]),
  action(905, 'session/ended'),
];

/** The next session counts its own updates and ticks; the first update is ignored, because there is no message. */
const endedWaitingThen = () => [
  ...continued([...openWindow(1, 'splash', []), ...openWindow(3, 'conversation', ['window/minimized'])]),
  action(5, 'window/restored', { number: 3 }),
  ...signIn(40, 3, 'ada@example.org'),
  received(160, { context: 'no message' }),
  received(170, { person: 'Ada Lovelace', messages: [] }),
  ...receivedEach(180, [{ id: 'n', modifier: 'admin' }, { name: 'Ada King' }]),
  action(650, 'session/ended'),
];

/** What later updates and acts replace: arrival times, the page of an item, the text to find; a title over nine; when a retry is kept. */
const replaced = () => [
  action(0, 'window/opened', { number: 1 }),
  { t: 0, type: 'launch' },
  { t: 0, type: 'open' },
  received(5, { person: 'Ada Lovelace', messages: [] }),
  ...receivedEach(
    10,
    Array.from({ length: 12 }, (_, i) => ({ id: `m${i}`, modifier: 'ai', content: [HELLO] })),
  ),
  received(30, { text: 'Hi' }),
  received(31, HELLO),
  received(32, { text: null }),
  ...ownActions(40, 1, [
    ['find/opened'],
    ['find/edited', { text: 'Hello' }],
    ['find/reached', { hit: { message: 1, item: 0, start: 0 } }],
    ['find/opened'],
    ['find/edited', { text: 'Hello' }],
    ['find/closed'],
    ['find/opened'],
  ]),
  { t: 2000, type: 'close', code: 1006, reason: '', retryAt: 5000 },
  action(2010, 'connection/requested'),
  { t: 2020, type: 'close', code: 1000, reason: 'maintenance' },
  { t: 2030, type: 'close', code: 1006, reason: '', retryAt: 6000 },
  { t: 2040, type: 'open' },
  received(2100, { person: 'Ada Lovelace', messages: [{ id: 'm0', modifier: 'ai', content: [HELLO] }] }),
  received(2110, {
    person: 'Ada Lovelace',
    messages: [
      { id: 'x', modifier: 'ai' },
      { id: 'm0', modifier: 'ai' },
    ],
  }),
  { t: 2400, type: 'close', code: 1006, reason: '', retryAt: 7000 },
  action(2410, 'connection/confirmed'),
];

/** The pairs of captures of one run of the program, and what later records of one session replace. */
export const pairCaptures = {
  'sign-out': signOut,
  'sign-out.then': signOutThen,
  unauthorized,
  'unauthorized.then': unauthorizedThen,
  'ended-waiting': endedWaiting,
  'ended-waiting.then': endedWaitingThen,
  replaced,
};
