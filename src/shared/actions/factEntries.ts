import {
  type ActionEntries,
  forwarded,
  recorded,
  recordedAndForwarded,
  recordedLater,
  recordedLaterAndForwarded,
  unrecorded,
} from './actionEntry.ts';

const SESSION_SLICES = [
  'connection',
  'wasConnected',
  'timesOfDay',
  'conversation',
  'arrivals',
  'appliedUpdates',
  'backlog',
  'queue',
  'counts',
  'conversationStart',
  'snapshotFields',
  'words',
  'attention',
];

/** The facts of main: results of acts, and what the platform and the machine do. */
export const FACT_ENTRIES: ActionEntries = {
  'signIn/accepted': recorded('messenger: the platform gave an account identifier'),
  'signIn/refused': recorded('messenger', { payload: 'code', codes: ['code'] }),
  'account/signedIn': unrecorded('messenger. Contains the account identifier, which is never recorded', {
    payload: 'id, platform',
    changes: ['account'],
  }),
  'account/signedOut': unrecorded('messenger', { changes: ['account'] }),
  'message/sent': recorded('session', { payload: 'category', changes: ['counts'], codes: ['category'] }),
  'message/dropped': recorded('session: the socket is not open, or the platform does not read', {
    payload: 'category',
    changes: ['counts'],
    codes: ['category'],
  }),
  'message/refused': recorded('messenger: over the limits, or signed out', {
    payload: 'category, reason',
    codes: ['category', 'reason'],
  }),
  'session/saved': recorded('a listener of `session/saveRequested`'),
  'session/saveFailed': recorded('a listener of `session/saveRequested`'),
  'start/saved': recorded('a listener of `start/saveRequested`'),
  'start/saveFailed': recorded('a listener of `start/saveRequested`'),
  'diagnostics/copied': recorded('a listener of `diagnostics/copyRequested`'),
  'diagnostics/copyFailed': recorded('a listener of `diagnostics/copyRequested`'),
  'assistant/tested': recordedLater('a listener of `assistant/testRequested`'),
  'assistant/testFailed': recordedLater('a listener of `assistant/testRequested`'),
  'assistant/saved': recordedLater('a listener of `assistant/saveRequested`'),
  'assistant/saveFailed': recordedLater('a listener of `assistant/saveRequested`'),
  'data/deleted': recorded('a listener of `data/deletionRequested`', { changes: ['windows'] }),
  'inspector/shown': recorded('a listener of `inspector/requested`'),

  'session/launched': forwarded('session. A capture contains its launch otherwise', {
    payload: 'launchedAt, timeOfDay',
    changes: SESSION_SLICES,
  }),
  'session/ended': recordedAndForwarded('session; a log out without one', {
    changes: [...SESSION_SLICES, 'windows'],
  }),
  'connection/opened': forwarded('session. Recorded as `open`'),
  'connection/confirmed': recordedAndForwarded('session: the first pong', {
    changes: ['connection', 'wasConnected'],
  }),
  'connection/closed': forwarded('session. Recorded as `close`', {
    payload: 'code, reason, retryAt',
    changes: ['connection'],
  }),
  'update/received': unrecorded('session. Recorded as `recv`', {
    payload: 'update, at, bytes',
    changes: ['queue', 'counts'],
  }),
  'update/applied': forwarded('queue, at a tick. Follows from the frames. A notification stays in main', {
    payload: 'update, bytes, tick; known of a snapshot',
    changes: [
      'conversation',
      'arrivals',
      'appliedUpdates',
      'queue',
      'counts',
      'conversationStart',
      'snapshotFields',
      'words',
      'attention',
    ],
  }),
  'update/snapshotApplied': forwarded('main sends it to windows in place of an applied snapshot', {
    payload: 'person, newest, tick, known, words',
    changes: ['conversationStart'],
  }),
  'sync/stateFetched': unrecorded('a window, for its copy of the shared state', {
    payload: 'state, newest',
    changes: [
      'connection',
      'wasConnected',
      'timesOfDay',
      'words',
      'conversation',
      'arrivals',
      'appliedUpdates',
      'preferences',
      'audio',
      'backlog',
    ],
  }),
  'sync/snapshotArrived': unrecorded('a window, for its copy of the shared state', {
    payload: 'person, newest, tick, known, words',
    changes: ['conversation', 'arrivals', 'appliedUpdates', 'words'],
  }),
  'sync/partArrived': unrecorded('a window, for its copy of the shared state', {
    payload: 'a part of the conversation',
    changes: ['conversation'],
  }),
  'sync/actionsArrived': unrecorded(
    'a window: actions of main that arrived together. Each of them changes its slices',
    {
      payload: 'a list of actions',
    },
  ),
  'update/ignored': unrecorded('queue, at a tick: the update has no target', {
    payload: 'update, bytes, tick',
    changes: ['queue', 'counts'],
  }),
  'frame/rejected': unrecorded('session. Recorded as `recv`', {
    payload: 'reason, bytes',
    changes: ['counts'],
  }),
  'timesOfDay/read': forwarded('session: the machine resumed from sleep', {
    payload: 'sinceLaunch, timeOfDay',
    changes: ['timesOfDay'],
  }),
  'backlog/reported': recordedLaterAndForwarded('main, once a second while it changes', {
    payload: 'updates',
    changes: ['backlog'],
  }),
  'sync/actionsForwarded': forwarded(
    'main, at the end of an event-loop task: the further actions that it forwards, together',
    {
      payload: 'the actions as JSON',
    },
  ),
  'sync/heartbeat': forwarded('main, each 2 s', { payload: 'the number of the last forwarded action' }),
  'audio/started': recordedAndForwarded('audio module', { changes: ['audio'] }),
  'audio/stopped': recordedAndForwarded('audio module', { changes: ['audio'] }),
  'audio/recordingStarted': recordedAndForwarded('audio module', { changes: ['audio'] }),
  'audio/recordingStopped': recordedAndForwarded('audio module', { changes: ['audio'] }),
  'audio/recordingCancelled': recordedAndForwarded('audio module', { changes: ['audio'] }),
  'audio/playbackStarted': recordedAndForwarded('audio module', {
    payload: 'id, message, item',
    changes: ['audio'],
  }),
  'audio/playbackEnded': recordedAndForwarded('audio module', { changes: ['audio'] }),
  'audio/playbackCancelled': recordedAndForwarded('audio module', { changes: ['audio'] }),
  'preferences/loaded': recordedLaterAndForwarded('main, at the start, and after *Delete my data*', {
    payload: 'stored, environment',
    changes: ['preferences'],
    codes: ['theme'],
  }),
  'attention/gained': recordedLater('main: a visible window has the focus', { changes: ['attention'] }),
  'attention/lost': recordedLater('main: no visible window has the focus', { changes: ['attention'] }),
  'window/opened': recordedLater('main', { payload: 'number', changes: ['windows'] }),
  'window/shown': recordedLater('main', { payload: 'number', changes: ['windows'] }),
  'window/hidden': recordedLater('main', { payload: 'number', changes: ['windows'] }),
  'window/focused': recordedLater('main', { payload: 'number', changes: ['windows'] }),
  'window/blurred': recordedLater('main', { payload: 'number', changes: ['windows'] }),
  'window/minimized': recordedLater('main', { payload: 'number', changes: ['windows'] }),
  'window/restored': recordedLater('main', { payload: 'number', changes: ['windows'] }),
  'window/closed': recordedLater('main', { payload: 'number', changes: ['windows'] }),
};
