import { action, actions, beginning, received, receivedEach, textItem } from './records.mjs';

/** What a launch resets, and what it leaves; a second launch is ignored. */
const launch = () => [
  { t: 1, type: 'open' },
  ...actions(2, [
    ['connection/confirmed'],
    ['backlog/reported', { updates: 20 }],
    ['audio/started'],
    ['attention/gained'],
    ['preferences/changed', { audio: true }],
    ['window/opened', { number: 1 }],
  ]),
  { t: 130.25, type: 'launch' },
  ...actions(140, [['connection/confirmed'], ['backlog/reported', { updates: 21 }]]),
  { t: 175.5, type: 'launch' },
  { t: 180, type: 'open' },
  action(185, 'connection/confirmed'),
  received(190, { person: 'Ada', messages: [] }),
  received(275.499, { modifier: 'ai' }),
  received(275.5, { context: 'c' }),
  { t: 290, type: 'launch' },
  received(900.125, { context: 'd' }),
];

const sent = (t) => ({ t, type: 'send', data: '{"category":"text","text":"a","blob":null}' });
const greeting = { person: 'Ada Lovelace', messages: [] };

/**
 * Launches at times of which sums and differences are no decimal numbers: frames are received exactly at ticks, and the person looks exactly at
 * one. A second launch is ignored after a message was dropped, and in the next session after one was sent.
 */
const launchTimes = () => [
  { t: 100.2, type: 'launch' },
  action(103, 'message/dropped', { category: 'text' }),
  { t: 105.7, type: 'launch' },
  received(110.7, greeting),
  received(200.2, { modifier: 'ai' }),
  received(300.2, { modifier: 'ai' }),
  action(900, 'session/ended'),
  { t: 1000.003, type: 'launch' },
  sent(1001),
  { t: 1005.7, type: 'launch' },
  received(1010.7, greeting),
  received(1020.7, { modifier: 'ai' }),
  // The second tick releases the message before the person looks.
  action(1200.003, 'attention/gained'),
  action(1200.003, 'attention/lost'),
  received(1300.003, { modifier: 'ai' }),
];

/** A second launch is ignored after a received and a sent frame, and in the next session after a received frame and a dropped message. */
const secondLaunches = () => [
  { t: 0, type: 'launch' },
  received(10, greeting),
  sent(20),
  { t: 150, type: 'launch' },
  received(160, { modifier: 'ai' }),
  action(400, 'session/ended'),
  { t: 500, type: 'launch' },
  received(510, greeting),
  action(520, 'message/dropped', { category: 'text' }),
  { t: 650, type: 'launch' },
  received(660, { modifier: 'ai' }),
];

/** Closes with and without a reason, pongs and requested reconnects; the backlog, and messages that were sent or dropped. */
const connection = () => [
  ...beginning(),
  ...actions(10, [['connection/requested'], ['connection/confirmed'], ['connection/requested']]),
  { t: 100, type: 'close', code: 1006, reason: '' },
  { t: 110, type: 'close', code: 1000, reason: 'unauthorized' },
  ...actions(120, [['connection/requested']]),
  { t: 130, type: 'open' },
  { t: 140, type: 'close', code: 1000, reason: 'maintenance' },
  { t: 150, type: 'open' },
  ...actions(160, [['connection/confirmed']]),
  { t: 170, type: 'close', code: 4000, reason: ' ' },
  { t: 175, type: 'close', code: 1006, reason: '' },
  ...[1, 2].map((second) => ({
    t: 175 + second,
    type: 'close',
    code: 1006,
    reason: '',
    retryAt: second * 1000,
  })),
  action(178, 'connection/confirmed'),
  { t: 179, type: 'close', code: 1006, reason: '', retryAt: 3000 },
  { t: 179, type: 'close', code: 1006, reason: '' },
  ...actions(180, [
    ['message/dropped', { category: 'text' }],
    ['message/sent', { category: 'text' }],
    ['backlog/reported', { updates: 20 }],
    ['backlog/reported', { updates: 0 }],
    ['backlog/reported', { updates: 35 }],
    ...[{ updates: -1 }, { updates: 1.5 }, {}, undefined].map((wrong) => ['backlog/reported', wrong]),
    ['message/dropped'],
    ['update/applied', { update: { kind: 'name', frame: { name: 'not recorded' } }, bytes: 1, tick: 0 }],
    ['session/launched', { launchedAt: 5 }],
    ['connection/opened'],
    ['connection/closed', { code: 1, reason: 'not recorded' }],
  ]),
  { t: 500, type: 'send', data: '{"category":"text","text":"a","blob":null}' },
  { t: 501, type: 'send', data: 'AAEC', encoding: 'base64' },
];

/** Unread messages: of whom, and with and without the person’s attention. */
const unread = () => {
  const from = ['ai', 'client', 'admin', 'robot', ''].map((modifier) => ({ modifier }));
  const arriving = (start) =>
    receivedEach(start, [
      ...from,
      { modifier: 'ai' },
      textItem('x'),
      { context: 'c' },
      { person: 'Ada' },
      {},
    ]);
  return [
    { t: 0, type: 'launch' },
    action(1, 'attention/lost'),
    ...arriving(10),
    action(1500, 'attention/gained'),
    ...arriving(1600),
    action(3000, 'attention/gained'),
    action(3010, 'attention/lost'),
    ...arriving(3100),
    action(4500, 'attention/lost'),
  ];
};

/**
 * Nothing is unread: a window is watched since before the launch, then updates arrive with the modifier of a message that are none. The last
 * frame is received less than a microsecond before a tick, which releases it.
 */
const modifiersOfOthers = () => [
  action(0, 'attention/gained'),
  { t: 0, type: 'launch' },
  ...receivedEach(1, [{ modifier: 'ai' }]),
  action(150, 'attention/lost'),
  action(155.00049, 'connection/confirmed'),
  ...receivedEach(160, [
    { person: 'Ada', messages: [{ modifier: 'ai' }], modifier: 'ai' },
    { name: 'Ada King', modifier: 'admin' },
    { modifier: 'admin' },
  ]),
  received(799.9996, { modifier: 'ai' }),
];

/** More than 1,100 updates wait at once, so that the queue has chunks of chunks; the session ends before most of them. */
const longQueue = () => {
  const frames = Array.from({ length: 1200 }, (_, i) => ({ text: `${i}` }));
  return [
    ...beginning([{ modifier: 'ai', content: [textItem('')] }]),
    ...receivedEach(10, frames, 0.01),
    ...receivedEach(5000, frames.slice(0, 40), 0.01),
    action(10_450, 'session/ended'),
  ];
};

/**
 * A busy program misses ticks: an update is released at a later tick, alone, and what arrived meanwhile comes after it. Records that a session
 * cannot contain delay nothing: of an update that does not wait, of a tick before its own, of a tick in the future.
 */
const lateReleases = () => [
  { t: 30.5, type: 'launch' },
  { t: 31, type: 'open' },
  ...receivedEach(40, [{ person: 'Ada', messages: [] }, { modifier: 'ai' }, textItem('x'), { text: 'y' }]),
  { t: 480.75, type: 'release', update: 1, due: 100, tick: 400 },
  action(480.75, 'connection/confirmed'),
  received(481, { modifier: 'ai' }),
  { t: 890.5, type: 'release', update: 4, due: 700, tick: 800 },
  received(890.5, { context: 'c' }),
  action(1031, 'attention/lost'),
  { t: 1100, type: 'release', update: 7, due: 1000, tick: 1000 },
  ...receivedEach(1140, [{ modifier: 'ai' }, { name: 'Ada King' }]),
  { t: 1400, type: 'release', update: 7, due: 1300, tick: 1200 },
  received(1460, { modifier: 'admin' }),
  { t: 1540, type: 'release', update: 9, due: 1500, tick: 1600 },
  received(1600, textItem('z')),
  { t: 1930.5, type: 'release', update: 10, due: 1600, tick: 1900 },
  action(1930.5, 'session/ended'),
];

/** A snapshot with a message that is known, behind one that is not: both are new, because only the beginning counts. */
const knownMessages = () => [
  ...beginning(),
  ...receivedEach(110, [
    { modifier: 'ai', id: 'a' },
    { modifier: 'ai', id: 'b' },
  ]),
  received(410, { person: 'Ada', messages: [{ id: 'x' }, { id: 'b' }] }),
];

/** A launch after the end of the session, which a frame has begun: it begins the next one. */
const launchAfterEnd = () => [
  ...beginning(),
  received(110, { name: 'Ada King' }),
  action(300, 'session/ended'),
  received(400, { name: 'Ada' }),
  { t: 500, type: 'launch' },
];

/** The captures about a session: its launch, its connection, its queue and its unread messages. */
export const sessionCaptures = {
  connection,
  'late-releases': lateReleases,
  'known-messages': knownMessages,
  launch,
  'launch-after-end': launchAfterEnd,
  'launch-times': launchTimes,
  'long-queue.gz': longQueue,
  'modifiers-of-others': modifiersOfOthers,
  'second-launches': secondLaunches,
  unread,
};
