import { expect, test } from 'vitest';
import * as session from '#shared/actions/sessionActions.ts';
import { PARLEY_VERSION, aboutParley, diagnosticsText } from './copyDiagnostics.ts';
import type { Settings } from '#shared/settings.ts';
import { logTail } from '../base/createLog.ts';
import { startMain } from '#tests/builders/startMain.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { APP_ID, identifyProgram } from './setUpDesktop.ts';

const LINE = { level: 40, time: '2026-11-20T09:00:00.000Z', msg: 'said' };
const SAID = '2026-11-20T09:00:00.000Z warn said';

function shownOf(...lines: object[]): readonly string[] {
  const tail = logTail();
  for (const fields of lines) tail.write(JSON.stringify({ ...LINE, ...fields }));
  return tail.lines();
}

test('describes the state in words and numbers, and contains no personal data of a session', async () => {
  const main = await startMain();
  const { store, kept, path } = main;
  const { preferences, audio, ...others } = store.getState();
  const voice: typeof preferences = { ...preferences, audio: true, fromEnvironment: ['audio'] };
  const early = { ...others, preferences: voice, audio: { ...audio, isRecording: true } };
  store.dispatch({ type: 'account/signedIn', payload: { id: 'account-1', platform: 'ws://127.0.0.1' } });
  main.launch();
  for (const frame of [
    { person: 'Ada Lovelace', messages: [] },
    { id: 'm-1', modifier: 'ai', content: [], context: 'Context Label', avatar: 'QVZBVEFS' },
    { category: 'text', text: 'the secret text' },
  ])
    main.receiveUpdate(frame);
  main.receive('{"text": 12, "secret": "a broken secret"}');
  main.receive({ name: 'a secret that waits' });
  store.dispatch(session.connectionClosed({ code: 4000, reason: `sorry ada@example.org` }));
  kept.log.warn({ path, account: 'account-1', error: { message: 'the secret text' } }, 'a careless line');
  const log = shownOf(...kept.lines().map((one) => Object.assign(one, { level: 40 })));
  const common = { system: 'linux 6.1.0 x64', windows: 3, state: store.getState(), log };
  const on = (versions: object, platform: Settings['platform'], shown: Partial<typeof common> = {}) => {
    const about = aboutParley({ ...versions, node: '22.1.0' });
    expect(about.parley).toBe(PARLEY_VERSION);
    const settings = { capture: platform !== null, platform };
    const text = diagnosticsText({ ...common, ...shown, about: { ...about, parley: '1.2.3' }, settings });
    return `With the platform ${platform?.platformUrl}\n\n${text}`;
  };
  const [electron, apiUrl] = [{ electron: '45.4.1', chrome: '156.0.1' }, 'http://127.0.0.1:1'];
  const texts = [
    ...['wss://127.0.0.1:1', 'ws://127.0.0.1:1'].map((platformUrl) => on(electron, { apiUrl, platformUrl })),
    on({}, null),
    on({}, null, { state: early, log: [] }),
  ];
  await expect(texts.join('\n')).toMatchFileSnapshot('testing/diagnostics.txt');
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
