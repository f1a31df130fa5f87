import { decodeUpdate } from '#shared/protocol/update.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { BrowserWindow, app, protocol } from 'electron';
import { z } from 'zod';
import { createLogger } from '#node/createLogger.ts';
import { answerStateRequests, startHeartbeat } from '#main/ipc/answerStateRequests.ts';
import { createListeners, createMainStore } from '#main/store/mainStore.ts';
import { APP_ORIGIN, APP_PAGE, registerScheme } from '#main/window/servePages.ts';
import { sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import { systemClock } from '#shared/clock.ts';
import { conversationFrames } from '../base/captures.ts';

/** A main process for the benchmark of the synchronization: main's store and one window, without a session. */

/** The request of the benchmark: actions in batches of `perBatch`, with a pause after each batch. */
const requestSchema = z.object({ actions: z.int(), perBatch: z.int(), pauseMs: z.number() });

/** Actions in main: their numbers and times. */
export interface Dispatched {
  /** The number of the last action. */
  readonly last: number;
  /** When each batch started, milliseconds since 1970, by the number of its first action. */
  readonly starts: readonly (readonly [sequence: number, at: number])[];
}

const FRAMES = 100_000;
const CODE = join(import.meta.dirname, 'page.js');
const PRELOAD = join(import.meta.dirname, '../../start/preload.cjs');
const HTML =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sync</title><script src="/page.js"></script>';

const clock = systemClock(globalThis);
const { log } = createLogger({ base: null, clock });
const listeners = createListeners(log, () => {});
const noFile = { getItem: async () => undefined, setItem: async () => {}, removeItem: async () => {} };
const noCapture = { action() {}, launched() {}, record() {}, pauseWhileFull() {}, ended() {} };
const store = createMainStore({
  clock,
  accountFile: noFile,
  platform: '',
  listeners,
  capture: noCapture,
  log,
});

const answer = async (path: string): Promise<Response> =>
  path === '/page.js'
    ? new Response(await readFile(CODE, 'utf8'), { headers: { 'content-type': 'text/javascript' } })
    : new Response(HTML, { headers: { 'content-type': 'text/html' } });

async function start(): Promise<void> {
  await app.whenReady();
  protocol.handle('parley', (request) => answer(request.url.slice(APP_ORIGIN.length)));
  answerStateRequests({ store, clock, log });
  startHeartbeat(store, clock);
  store.dispatch(sessionLaunched({ launchedAt: clock.now() }));
  const window = new BrowserWindow({ webPreferences: { preload: PRELOAD, sandbox: true } });
  await window.loadURL(APP_PAGE);
}

const updates = conversationFrames(FRAMES).flatMap((frame) => {
  const update = decodeUpdate(frame);
  return update.kind === 'rejected' ? [] : [{ update, bytes: frame.length, tick: 0 }];
});

/** Dispatches updates of a long conversation. */
async function dispatchActions({
  actions,
  perBatch,
  pauseMs,
}: z.infer<typeof requestSchema>): Promise<Dispatched> {
  const starts: [number, number][] = [];
  for (let done = 0; done < actions;) {
    starts.push([store.getState().sequence + 1, performance.timeOrigin + performance.now()]);
    for (let i = 0; i < perBatch && done < actions; i++, done++) {
      const update = updates[done % updates.length];
      if (update !== undefined) store.dispatch(updateApplied(update));
    }
    await (pauseMs > 0 ? setTimeout(pauseMs) : setImmediate());
  }
  return { last: store.getState().sequence, starts };
}

process.on('message', (message) => {
  void dispatchActions(requestSchema.parse(message)).then((dispatched) => process.send?.(dispatched));
});
app.setPath('userData', process.env['PARLEY_DATA_DIR'] ?? '');
registerScheme();
if (app.requestSingleInstanceLock()) void start();
