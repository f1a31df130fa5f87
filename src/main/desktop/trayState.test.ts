import { describe, expect, test } from 'vitest';
import { decodeUpdate } from '#shared/protocol/update.ts';
import {
  audioStarted,
  playbackCancelled,
  playbackEnded,
  playbackStarted,
  recordingCancelled,
  recordingStarted,
  recordingStopped,
} from '#shared/actions/mainActions.ts';
import {
  connectionClosed,
  connectionConfirmed,
  connectionOpened,
  sessionEnded,
  sessionLaunched,
  updateApplied,
} from '#shared/actions/sessionActions.ts';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { windowTitle } from '#shared/store/openWindows.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { trayState } from './setUpTray.ts';

type Step = { readonly type: string };

const applied = (frame: object) => {
  const update = decodeUpdate(JSON.stringify(frame));
  if (update.kind === 'rejected') throw new Error('The test’s frame is no update.');
  return updateApplied({ update, bytes: 0, tick: 0 });
};
const from = (modifier: string) => applied({ id: '1', modifier, content: [], context: 'x', avatar: '' });

// The modules of these actions are reloaded with each store, so their types are written here.
const signedIn = { type: 'account/signedIn', payload: { id: 'a', platform: 'the platform' } };
const signedOut = { type: 'account/signedOut' };
const focused = { type: 'attention/gained', meta: { scope: 'local' } };
const blurred = { type: 'attention/lost', meta: { scope: 'local' } };
const launched = sessionLaunched({ launchedAt: 0 });
const connected: Step[] = [signedIn, launched, connectionOpened(), connectionConfirmed()];
const away: Step[] = [...connected, blurred];
const voice: Step[] = [...connected, audioStarted()];
const playing: Step[] = [...voice, playbackStarted({ id: '1', message: 0, item: 0 })];
const closed = (reason: string) => connectionClosed({ code: 1000, reason });

/** Returns the icon, tool tip, title and badge after these actions. */
async function shownAfter(steps: readonly Step[]) {
  const { store } = await mainStore();
  for (const step of steps) store.dispatch(step);
  const state = store.getState();
  const { icon, toolTip, isSignedIn } = trayState(state);
  return [icon, toolTip, isSignedIn, windowTitle(state.attention), state.attention.unread];
}

type Row = readonly [what: string, steps: readonly Step[], icon: string, toolTip: string, unread?: number];

const ROWS: readonly Row[] = [
  ['no action', [], 'disconnected', 'Parley: signed out'],
  ['signed in', [signedIn], 'disconnected', 'Parley: disconnected'],
  ['the session was launched', [signedIn, launched], 'disconnected', 'Parley: disconnected'],
  ['the socket opened', connected.slice(0, 3), 'disconnected', 'Parley: disconnected'],
  ['a pong', connected, 'connected', 'Parley: connected'],
  ['a close', [...connected, closed('')], 'disconnected', 'Parley: disconnected'],
  ['a close with a reason', [...connected, closed('no')], 'disconnected', 'Parley: disconnected'],
  ['signed out', [...connected, signedOut, sessionEnded()], 'disconnected', 'Parley: signed out'],
  ['voice on', voice, 'connected', 'Parley: connected'],
  ['a recording started', [...voice, recordingStarted()], 'recording', 'Parley: recording'],
  [
    'a recording stopped',
    [...voice, recordingStarted(), recordingStopped()],
    'connected',
    'Parley: connected',
  ],
  [
    'a recording was cancelled',
    [...voice, recordingStarted(), recordingCancelled()],
    'connected',
    'Parley: connected',
  ],
  ['a playback started', playing, 'connected', 'Parley: playing'],
  ['a playback ended', [...playing, playbackEnded()], 'connected', 'Parley: connected'],
  ['a playback was cancelled', [...playing, playbackCancelled()], 'connected', 'Parley: connected'],
  ['a recording during a playback', [...playing, recordingStarted()], 'recording', 'Parley: recording'],
  ['an unseen message', [...away, from('ai')], 'unread', '(1) Parley: connected', 1],
  [
    'two unseen messages, one of an admin',
    [...away, from('ai'), from('admin')],
    'unread',
    '(2) Parley: connected',
    2,
  ],
  ['the person’s own message', [...away, from('client')], 'connected', 'Parley: connected'],
  [
    'a text and a name',
    [...away, applied({ text: 'x' }), applied({ name: 'B' })],
    'connected',
    'Parley: connected',
  ],
  ['a snapshot', [...away, applied({ person: 'A', messages: [] })], 'connected', 'Parley: connected'],
  ['a seen message', [...away, focused, from('ai')], 'connected', 'Parley: connected'],
  ['the window got the focus again', [...away, from('ai'), focused], 'connected', 'Parley: connected'],
  [
    'the window got and lost the focus',
    [...away, from('ai'), focused, blurred],
    'connected',
    'Parley: connected',
  ],
  [
    'an unread message and a close',
    [...away, from('ai'), closed('')],
    'unread',
    '(1) Parley: disconnected',
    1,
  ],
  [
    'an unread message and a recording',
    [...voice, from('ai'), recordingStarted()],
    'recording',
    '(1) Parley: recording',
    1,
  ],
  [
    'an unread message and the session’s end',
    [...away, from('ai'), sessionEnded()],
    'disconnected',
    'Parley: disconnected',
  ],
  [
    'an unread message and another session',
    [...away, from('ai'), launched],
    'disconnected',
    'Parley: disconnected',
  ],
  [
    'a changed preference',
    [...connected, preferencesChanged({ theme: 'dark' })],
    'connected',
    'Parley: connected',
  ],
];

const cases = ROWS.map(([what, steps, icon, toolTip, unread = 0]) => ({
  what,
  steps,
  icon,
  toolTip,
  unread,
}));

describe('tray, badge and title', () => {
  test.each(cases)(
    'show `$toolTip` with the icon $icon after: $what',
    async ({ steps, icon, toolTip, unread }) => {
      const isSignedIn = steps.includes(signedIn) && !steps.includes(signedOut);
      const title = unread === 0 ? 'Parley' : `(${unread}) Parley`;
      expect(await shownAfter(steps)).toEqual([icon, toolTip, isSignedIn, title, unread]);
    },
  );
});
