import { expect, test } from 'vitest';
import { decodeUpdate } from '#shared/protocol/update.ts';
import {
  connectionClosed,
  frameRejected,
  sessionLaunched,
  updateApplied,
  updateReceived,
} from '#shared/actions/sessionActions.ts';
import { ADA, signedInMessenger, waitForState } from '#tests/builders/messengerAt.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { PARLEY_VERSION, aboutParley, diagnosticsText } from './copyDiagnostics.ts';
import { logTail } from '../base/createLog.ts';

const VERSIONS = { electron: '45.4.1', chrome: '156.0.1', node: '22.1.0' };
const ABOUT = aboutParley(VERSIONS);
const LINE = { level: 30, time: '2026-11-20T09:00:00.000Z', msg: 'connection closed' };

test('contains no personal data of a session', async () => {
  const main = await signedInMessenger();
  const { platform, socket, store, clock, kept, messenger, path } = main;
  socket.send({ id: 'm-1', modifier: 'ai', content: [], context: 'Context Label', avatar: 'QVZBVEFS' });
  socket.send({ category: 'text', text: 'the secret text' });
  socket.sendText('{"text": 12, "secret": "a broken secret"}');
  messenger.send({ category: 'text', text: 'my own words', blob: null });
  await waitForState(store, ({ counts }) => counts.received === 4);
  clock.advance(1000);
  store.dispatch(connectionClosed({ code: 4000, reason: `sorry ada@example.org` }));
  kept.log.warn({ path, account: 'account-1', error: { message: 'the secret text' } }, 'a careless line');

  const state = store.getState();
  expect(state.conversation.messages.length).toBe(1);
  const tail = logTail();
  for (const line of kept.lines()) tail.write(JSON.stringify({ ...LINE, ...line, level: 40 }));
  const settings = {
    capture: true,
    platform: { apiUrl: platform.apiUrl, platformUrl: platform.platformUrl },
  };
  const text = diagnosticsText({
    about: ABOUT,
    system: 'linux 6.1.0 x64',
    settings,
    state,
    windows: 1,
    log: tail.lines(),
  });

  expect(text).toContain('Messages: 1\n');
  expect(text).toContain('frame rejected reason=wrongType');
  expect(text).toContain('a careless line\n');
  const secrets = [
    'account-1',
    ...Object.values(ADA).filter((value) => value !== ''),
    'example.org',
    'Lovelace',
    'm-1',
    'Context Label',
    'QVZBVEFS',
    'secret',
    'my own words',
    '127.0.0.1',
    path,
    'sorry',
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('describes the state in words and numbers', async () => {
  const { store } = await mainStore();
  store.dispatch(sessionLaunched({ launchedAt: 0 }));
  const update = decodeUpdate('{"person":"A","messages":[]}');
  if (update.kind !== 'rejected') {
    store.dispatch(updateReceived({ update, bytes: 1, at: 0 }));
    store.dispatch(updateApplied({ update, bytes: 1, tick: 0 }));
  }
  store.dispatch(frameRejected({ reason: 'notJson', bytes: 1 }));
  const text = diagnosticsText({
    about: aboutParley({ node: '20.19.0' }),
    system: 'linux 6.1.0 x64',
    settings: { capture: false, platform: null },
    state: store.getState(),
    windows: 2,
    log: ['2026-11-20T09:00:00.000Z info session launched'],
  });
  expect(text.split('\n')).toEqual([
    `Parley: ${PARLEY_VERSION}`,
    'Host: web host',
    'Chromium: the browser’s own',
    'Node: 20.19.0',
    'System: linux 6.1.0 x64',
    'Platform: built-in',
    'Sessions recorded: no',
    'Voice: off',
    'Theme: system',
    'Signed in: no',
    'Connection: disconnected',
    'Recording: no',
    'Windows: 2',
    'Messages: 0',
    'Frames: 2 received, 0 sent, 0 dropped',
    'Updates: 1 applied, 0 ignored, 0 waiting',
    'Rejected: notJson 1',
    '',
    'Last 1 lines of the log:',
    '2026-11-20T09:00:00.000Z info session launched',
    '',
  ]);
});

test('shows the versions of Electron and its Chromium', () => {
  expect(ABOUT).toMatchObject({ host: 'Electron 45.4.1', chromium: '156.0.1', licence: 'MIT' });
});
