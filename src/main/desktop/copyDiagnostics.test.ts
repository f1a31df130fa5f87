import { expect, test } from 'vitest';
import * as session from '#shared/actions/sessionActions.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { PARLEY_VERSION, aboutParley, diagnosticsText } from './copyDiagnostics.ts';
import { logTail } from '../base/createLog.ts';
import { startMain } from '#tests/builders/startMain.ts';
import { updateOf } from '#tests/builders/updateOf.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ID, identifyProgram } from './setUpDesktop.ts';

const ABOUT = aboutParley({ electron: '45.4.1', chrome: '156.0.1', node: '22.1.0' });
const LINE = { level: 40, time: '2026-11-20T09:00:00.000Z', msg: 'said' };
const SAID = '2026-11-20T09:00:00.000Z warn said';

function shownOf(...lines: object[]): readonly string[] {
  const tail = logTail();
  for (const fields of lines) tail.write(JSON.stringify({ ...LINE, ...fields }));
  return tail.lines();
}

test('contains no personal data of a session', async () => {
  const main = await startMain();
  const { store, kept, path } = main;
  store.dispatch({ type: 'account/signedIn', payload: { id: 'account-1', platform: 'ws://127.0.0.1' } });
  main.launch();
  for (const frame of [
    { person: 'Ada Lovelace', messages: [] },
    { id: 'm-1', modifier: 'ai', content: [], context: 'Context Label', avatar: 'QVZBVEFS' },
    { category: 'text', text: 'the secret text' },
  ])
    main.receiveUpdate(frame);
  main.receive('{"text": 12, "secret": "a broken secret"}');
  kept.log.warn({ reason: 'wrongType', where: 'text', bytes: 41 }, 'frame rejected');
  store.dispatch(session.connectionClosed({ code: 4000, reason: `sorry ada@example.org` }));
  kept.log.warn({ path, account: 'account-1', error: { message: 'the secret text' } }, 'a careless line');

  const state = store.getState();
  expect(state.conversation.messages.length).toBe(1);
  const log = shownOf(...kept.lines().map((one) => Object.assign(one, { level: 40 })));
  const [plain, text] = ['ws', 'wss'].map((scheme) => {
    const platform = { apiUrl: 'http://127.0.0.1:1', platformUrl: `${scheme}://127.0.0.1:1` };
    const settings = { capture: true, platform };
    return diagnosticsText({ about: ABOUT, system: 'linux', settings, state, windows: 1, log });
  });
  expect(plain).toContain('Platform: another one, not encrypted\n');
  expect(text).toContain('Platform: another one, encrypted\n');
  expect(text).toContain('Host: Electron 45.4.1\nChromium: 156.0.1\n');
  expect(text).toContain('Messages: 1\n');
  expect(text).toContain('frame rejected reason=wrongType');
  expect(text).toContain('a careless line\n');
  const frames = ['Lovelace', 'm-1', 'Context Label', 'QVZBVEFS', 'secret'];
  for (const secret of ['account-1', 'example.org', ...frames, '127.0.0.1', path, 'sorry'])
    expect(text).not.toContain(secret);
});

test('describes the state in words and numbers', async () => {
  const { store } = await mainStore();
  store.dispatch(session.sessionLaunched({ launchedAt: 0 }));
  const update = updateOf({ person: 'A', messages: [] });
  store.dispatch(session.updateReceived({ update, bytes: 1, at: 0 }));
  store.dispatch(session.updateApplied({ update, bytes: 1, tick: 0 }));
  store.dispatch(session.frameRejected({ reason: 'notJson', bytes: 1 }));
  const text = diagnosticsText({
    about: aboutParley({ node: '20.19.0' }),
    system: 'linux 6.1.0 x64',
    settings: { capture: false, platform: null },
    state: store.getState(),
    windows: 2,
    log: ['2026-11-20T09:00:00.000Z info session launched'],
  });
  const host = ['Host: web host', 'Chromium: the browser’s own', 'Node: 20.19.0', 'System: linux 6.1.0 x64'];
  const settings = ['Platform: built-in', 'Sessions recorded: no', 'Voice: off', 'Theme: system'];
  const state = ['Signed in: no', 'Connection: disconnected', 'Recording: no', 'Windows: 2', 'Messages: 0'];
  const counts = ['Frames: 2 received, 0 sent, 0 dropped', 'Updates: 1 applied, 0 ignored, 0 waiting'];
  const log = ['', 'Last 1 lines of the log:', '2026-11-20T09:00:00.000Z info session launched', ''];
  const lines = [...host, ...settings, ...state, ...counts, 'Rejected: notJson 1', ...log];
  expect(text.split('\n')).toEqual([`Parley: ${PARLEY_VERSION}`, ...lines]);
});

test('shows the last fifty lines of the log in their order, with the fields that are codes, and no others', () => {
  const last = shownOf(...Array.from({ length: 60 }, (_, n) => ({ code: n })));
  expect(last).toEqual(Array.from({ length: 50 }, (_, n) => `${SAID} code=${n + 10}`));
  const fields = { code: 'ENOENT', reason: 'notJson', bytes: 12, category: 'text', channel: 'nav' };
  const shown = ' code=ENOENT reason=notJson category=text channel=nav bytes=12';
  const hidden = [{ path: '/home/ada' }, { error: { message: 'x' } }, { channel: 'x'.repeat(41) }];
  const words = { reason: 'You, ada@example.org, are not welcome', category: ['a'] };
  expect(shownOf(fields, ...hidden, words)).toEqual([SAID + shown, SAID, SAID, SAID, SAID]);
});

const setOn = (platform: string) => {
  const set: string[] = [];
  identifyProgram({ setName: (name) => set.push(name), setAppUserModelId: (id) => set.push(id) }, platform);
  return set.sort();
};

test('sets the name and, on Windows, the identifier of the installers', () => {
  expect(setOn('win32')).toEqual(['Parley', APP_ID].sort());
  for (const other of ['linux', 'darwin']) expect(setOn(other)).toEqual(['Parley']);
  const config = readFileSync(resolve(import.meta.dirname, '../../../packaging/config.mjs'), 'utf8');
  expect(config).toContain(`appId: '${APP_ID}'`);
  expect(config).toContain("productName: 'Parley'");
});
