import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderFor } from './browser/harness/folderFor.ts';

/** The program that Electron runs. */
const MAIN = resolve(import.meta.dirname, '../out/electron/main.js');

/** In place of Electron: another instance has the lock, so the program quits. Before it does, a person clicks into a text field with the right button. */
const ELECTRON = `
import { EventEmitter } from 'node:events';
class Page extends EventEmitter {}
class BrowserWindow { static fromWebContents() { return null; } }
const Menu = {
  buildFromTemplate: (entries) => ({ popup: () => console.log(entries.map(({ role, type }) => role ?? type).join(' ')) }),
};
const place = {
  isEditable: true, misspelledWord: '', dictionarySuggestions: [], selectionText: '', linkURL: '',
  editFlags: {}, x: 1, y: 2, menuSourceType: 'mouse',
};
const app = Object.assign(new EventEmitter(), {
  setName() {}, setPath() {}, setAppUserModelId() {},
  requestSingleInstanceLock: () => false,
  quit() {
    const page = new Page();
    app.emit('web-contents-created', {}, page);
    page.emit('context-menu', {}, place);
  },
});
const protocol = { registerSchemesAsPrivileged() {} };
const none = {};
export { BrowserWindow, Menu, app, protocol };
export {
  none as Notification, none as Tray, none as clipboard, none as globalShortcut, none as ipcMain, none as nativeImage,
  none as powerMonitor, none as safeStorage, none as screen, none as session, none as shell, none as webContents,
};
`;

const module = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const REPLACED = module(`
export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${JSON.stringify(module(ELECTRON))}, shortCircuit: true } : next(name, context);
`);
const REPLACE = module(`import { register } from 'node:module'; register(${JSON.stringify(REPLACED)});`);

test('the built program for Electron shows a context menu with the usual roles in every page', async (context) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', REPLACE, MAIN], {
    env: { ...process.env, PARLEY_DATA_DIR: folderFor(context) },
  });
  expect(stdout).toBe('undo redo separator cut copy paste selectAll\n');
});
