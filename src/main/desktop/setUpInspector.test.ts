import { EventEmitter } from 'node:events';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { INSPECT_FOLLOW, INSPECT_LINES } from '#shared/ipc/channels.ts';
import { mainRecorder } from '#tests/builders/mainRecorder.ts';

/** Creates an inspector's window whose page follows the session, and collects its messages. */
async function followingWindow(send: (channel: string, text: string) => void) {
  const ipcMain = new EventEmitter();
  const frame = { origin: 'parley://app' };
  const webContents = { mainFrame: frame, send };
  const windows: object[] = [];
  class BrowserWindow extends EventEmitter {
    static readonly fromWebContents = () => windows[0];
    readonly webContents = webContents;
    setTitle = () => {};
    isDestroyed = () => false;
    loadURL = async () => {};
    constructor() {
      super();
      windows.push(this);
    }
  }
  vi.resetModules();
  vi.doMock('electron', () => ({ BrowserWindow, ipcMain, nativeImage: { createFromDataURL: () => ({}) } }));
  const { setUpInspector } = await import('./setUpInspector.ts');
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const { recorder, clock } = mainRecorder({ writesFiles: false });
  recorder.launched(0);
  setUpInspector({ recorder, clock, log })();
  ipcMain.emit(INSPECT_FOLLOW, { sender: webContents, senderFrame: frame });
  return { recorder, clock, logged };
}

test('continues the recording and the next lines when the bridge refuses one message', async () => {
  const sent: string[] = [];
  const { recorder, clock, logged } = await followingWindow((_, text) => {
    if (text.includes('refused')) throw new Error('An object could not be cloned: secret');
    sent.push(text);
  });
  for (const name of ['before', 'refused', 'after']) {
    recorder.record({ t: 1, type: 'recv', data: JSON.stringify({ name }) });
    clock.advance(100);
  }
  expect(sent.join('')).toMatch(/before.*\n.*after/);
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ level: 50, channel: INSPECT_LINES });
  expect(logged[0]).not.toContain('secret');
});
