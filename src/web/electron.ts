import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import open from 'open';
import { readSettings } from '#shared/settings.ts';
import { throwOnMissing } from './modules/electronEmitter.ts';
import { createHost } from './host.ts';

/**
 * The `electron` module for a browser: the part of Electron's API that the main process uses, over HTTP and one
 * WebSocket on 127.0.0.1 (contract §2, "The web host"). A missing member throws an error with its name.
 */

const canOpenABrowser = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

const openUrl = async (url: string): Promise<void> => {
  await open(url);
};

const host = createHost({
  settings: () => readSettings(process.env),
  random: randomBytes,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  openUrl,
  openBrowser: (url) => {
    // The address is also printed on stdout.
    if (canOpenABrowser()) openUrl(url).catch(() => {});
  },
  exit: (exitCode) => process.exit(exitCode),
  onSignal: (listener) => {
    process.on('SIGINT', listener).on('SIGTERM', listener);
  },
  pause,
  now: Date.now,
  // CLOCK_MONOTONIC. libuv's clock continues during a sleep on macOS (mach_continuous_time) and on Windows.
  awakeTime: process.platform === 'linux' ? () => performance.now() : undefined,
  cpuTime: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  every: (ms, task) => void setInterval(task, ms).unref(),
});

export const {
  app,
  BrowserWindow,
  clipboard,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  webContents,
} = host;

export default throwOnMissing('module', host);
