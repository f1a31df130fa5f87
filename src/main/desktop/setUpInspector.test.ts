import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { INSPECT_ENDED, INSPECT_FOLLOW, INSPECT_LINES } from '#shared/ipc/channels.ts';
import { mainRecorder, parseCapture } from '#tests/builders/mainRecorder.ts';
import { FakeWindow } from '../window/testing/fakeWindow.ts';
import { followSession, createBatches } from './setUpInspector.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';

test('continues the recording and the next lines when the bridge refuses one message, and sends a page that has loaded again each later line once; opens another window after the end of the session', async () => {
  const acts: string[] = [];
  FakeWindow.all = [];
  FakeWindow.note = (act, text) => {
    acts.push(act);
    if (String(text).includes('refused')) throw new Error('An object could not be cloned: secret');
  };
  let source: ((event: object, pair: unknown) => unknown) | undefined;
  const handle = (_: string, handler: typeof source) => (source = handler);
  const ipcMain = Object.assign(new EventEmitter(), { handle });
  const nativeImage = { createFromDataURL: () => ({}) };
  vi.resetModules();
  vi.doMock('electron', () => ({ BrowserWindow: FakeWindow, ipcMain, nativeImage }));
  vi.doMock('#node/findSourceLines.ts', () => ({ findSourceLines: (...args: unknown[]) => args }));
  const { setUpInspector } = await import('./setUpInspector.ts');
  const { recorder, clock, kept } = mainRecorder({ writesFiles: false });
  recorder.launched(0);
  const inspect = setUpInspector({ recorder, clock, log: kept.log, folder: '/out/inspector' });
  inspect();
  const [inspector = new FakeWindow()] = FakeWindow.all;
  const { webContents: sender, mainFrame: senderFrame, sent } = inspector;
  const size = { width: 1440, height: 900, minWidth: 800, minHeight: 500 };
  expect(inspector.options).toMatchObject({ title: 'Inspector', ...size, show: false });
  inspector.emit('ready-to-show');
  expect(acts).toEqual(['opened', 'loads parley://app/inspector/index.html', 'shown']);
  const load = () => ipcMain.emit(INSPECT_FOLLOW, { sender, senderFrame });
  load();
  for (const name of ['before', 'refused', 'after']) {
    recorder.record({ t: 1, type: 'recv', data: JSON.stringify({ name }) });
    clock.advance(100);
  }
  expect(sent.splice(0).join('')).toMatch(/before.*\n.*after/);
  expect(kept.lines()).toMatchObject([{ level: 'error', channel: INSPECT_LINES }]);
  expect(kept.text()).not.toContain('secret');
  load();
  clock.advance(100);
  recorder.record(recv(2, { name: 'once' }));
  clock.advance(100);
  expect(sent.join('').match(/once/g)).toHaveLength(1);
  const text = expect.stringMatching(/^\{"format(?:(?!"format")[^])*once.*\n$/u);
  const capture = { name: 'the session', text };
  const options = { bundle: '/out/inspector/replayedApp.mjs', root: '/', capture, pairs: [{ step: 2 }] };
  expect(await source?.({ sender, senderFrame }, { step: 2 })).toEqual(['/out/inspector', options]);
  const ofFrame = { sender, senderFrame: { ...senderFrame } };
  await expect(source?.(ofFrame, { step: 2 })).rejects.toThrow('not the inspector');
  await expect(source?.({ sender, senderFrame }, { step: 0 })).rejects.toThrow('not a step');
  ipcMain.emit(INSPECT_FOLLOW, ofFrame);
  expect(kept.lines().at(-1)).toMatchObject({ level: 'warn', channel: INSPECT_FOLLOW });
  const send = vi.spyOn(sender, 'send');
  recorder.ended();
  expect(send.mock.lastCall).toEqual([INSPECT_ENDED, 'The session has ended.']);
  acts.length = 0;
  for (let times = 0; times < 3; times++) inspect();
  expect(acts.filter((act) => !act.startsWith('loads')).join()).toBe(
    `closed,opened${',shown,focused'.repeat(2)}`,
  );
  const [{ webContents, mainFrame } = expect.unreachable()] = FakeWindow.all;
  for (const happen of [recorder.launched, recorder.ended, recorder.launched]) {
    happen(0);
    ipcMain.emit(INSPECT_FOLLOW, { sender: webContents, senderFrame: mainFrame });
  }
  inspect();
  expect(FakeWindow.all[0]?.webContents).toBe(webContents);
  FakeWindow.all[0]?.destroy();
  clock.advance(100);
  recorder.record(recv(1, { name: 'to nobody' }));
  // No lines wait for a window that is closed.
  expect(clock.nextDue()).toBeUndefined();
});

function followed() {
  const { recorder, clock } = mainRecorder({ writesFiles: false });
  const received: string[] = [];
  const ends: string[] = [];
  const lines = (text: string) => received.push(text);
  const follow = () => followSession({ recorder, clock, lines, ended: (text) => ends.push(text) });
  recorder.launched(0);
  return { recorder, clock, received, ends, follow };
}

const LAUNCH = { t: 0, type: 'launch' };

const captureOf = (received: readonly string[]) => parseCapture(received.join(''));

test('sends a whole capture from the middle of a session, its last lines before its end, and nothing after it; reports at once that there is no session; sends not even waiting lines after it was stopped', () => {
  const { recorder, clock, received, ends, follow } = followed();
  const records = ['before', 'after', 'and more', 'last'].map((name, at) => recv(at + 1, { name }));
  for (const record of records.slice(0, 1)) recorder.record(record);
  follow();
  expect(captureOf(received).records).toEqual([LAUNCH, records[0]]);
  for (const record of records.slice(1, 3)) recorder.record(record);
  clock.advance(100);
  expect(received).toHaveLength(2);
  for (const record of records.slice(3)) recorder.record(record);
  recorder.ended();
  const header = { startedAt: '2026-11-20T09:00:00.000Z' };
  expect(captureOf(received)).toMatchObject({ header, records: [LAUNCH, ...records] });
  expect(ends).toEqual(['The session has ended.']);
  const before = received.length;
  follow();
  expect(ends.splice(1)).toEqual(['There is no session to inspect: log in first.']);
  recorder.launched(0);
  recorder.record(recv(1, { name: 'of the next session' }));
  recorder.ended();
  clock.advance(1000);
  expect([received.length, ends.length]).toEqual([before, 1]);
  recorder.launched(clock.now());
  received.length = 0;
  const stop = follow();
  recorder.record(recv(1, { name: 'waits' }));
  stop();
  recorder.record(recv(2, { name: 'more' }));
  recorder.ended();
  clock.advance(1000);
  expect([captureOf(received).records, ends.length]).toEqual([[{ t: 1000, type: 'launch' }], 1]);
});

test('sends a text per 7 ms in order, at most ten times a second', () => {
  const clock = virtualClock();
  const sent: [at: number, text: string][] = [];
  const batches = createBatches(clock, (text) => sent.push([clock.now(), text]));
  const texts = Array.from({ length: 143 }, (_, i) => `${i},`);
  for (const text of texts) {
    batches.add(text);
    clock.advance(7);
  }
  clock.advance(100);
  expect(sent.map(([, text]) => text).join('')).toBe(texts.join(''));
  const times = sent.map(([at]) => at);
  expect(times.length).toBeLessThanOrEqual(12);
  times.slice(1).forEach((at, i) => expect(at - (times[i] ?? 0)).toBeGreaterThanOrEqual(100));
  for (let half = 0; half < 4; half++) batches.add('x'.repeat(WINDOW_MESSAGE_LENGTH / 2));
  clock.advance(100);
  expect(Math.max(...sent.map(([, text]) => text.length))).toBe(WINDOW_MESSAGE_LENGTH);
});
