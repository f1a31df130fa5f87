import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type Action, type Middleware, combineReducers, configureStore } from '@reduxjs/toolkit';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { partText, stateText } from '#main/store/actionForWindows.ts';
import type { RECEIVED, TOOLS_RECEIVED } from '#shared/ipc/channels.ts';
import type { Update } from '#shared/protocol/update.ts';
import { accountChanged, noticeSeen } from '#shared/actions/mainActions.ts';
import { connectionClosed, connectionConfirmed, updateApplied } from '#shared/actions/sessionActions.ts';
import { conversationStartReducer } from '#shared/store/conversationSlices.ts';
import { DEFAULT_MIDDLEWARE, sequenceMiddleware } from '#shared/store/sessionMiddleware.ts';
import { sharedReducers } from '#shared/store/rootReducer.ts';
import { serveRenderer } from './serveRenderer.ts';
import { workerBrowser } from './chromium.ts';

/** A call that the window made: the channel and its arguments. */
type WindowCall = readonly [channel: string, ...args: unknown[]];

/** A window, and a fake main that the test controls, with the real reducers and sequence numbers. */
export type RendererWindow = ReturnType<typeof fakeMain>;

let address: Promise<string> | undefined;

/** The pages, by their options. All tests share them, because a new page costs more than a load, and has an empty cache. */
const pages = new Map<string, ReusedPage>();

interface ReusedPage {
  readonly page: Page;
  /** The fake main of the window that is open now. */
  window: RendererWindow;
}

/** The window that the tests share, because a load costs more than most tests. */
let shared: RendererWindow | undefined;

/** Has another person than the tests' snapshots, which are therefore not announced, as the first one of a window. */
const NAMELESS: Update = { kind: 'snapshot', frame: { person: '', messages: [] } };

/** Returns functions for windows with a fake main. Call it in a test file. */
export function setUpWindows() {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') shared = undefined;
  });
  return { open, sharedWindow };
}

async function open(options: BrowserContextOptions = {}): Promise<RendererWindow> {
  shared = undefined;
  const key = JSON.stringify(options);
  const reused = pages.get(key) ?? (await newPage(options));
  pages.set(key, reused);
  reused.window = fakeMain(reused.page);
  await reset(reused.page);
  await reused.page.goto(await (address ??= serveRenderer()));
  // The draft of an earlier test. A window reads it when it is signed in.
  await reused.page.evaluate(() => sessionStorage.clear());
  return reused.window;
}

/** Returns the window that the test before left, signed in, connected and without messages, with an empty list of calls and problems. */
async function sharedWindow(): Promise<RendererWindow> {
  const window = (shared ??= await open());
  const { page, calls, problems } = window;
  await reset(page);
  await page.keyboard.press('Escape');
  await window.signedIn(NAMELESS);
  await window.noticesSeen();
  await page.evaluate(() => document.querySelector<HTMLElement>('.note button')?.click());
  await page.getByRole('article').first().waitFor({ state: 'detached' });
  calls.length = 0;
  problems.length = 0;
  return window;
}

/** Undoes what tests change at the page: its size, the pointer, and what they emulate. */
async function reset(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? {};
  if (width !== 1280 || height !== 720) await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({
    media: 'screen',
    colorScheme: 'light',
    forcedColors: 'none',
    reducedMotion: 'reduce',
  });
  await page.mouse.move(0, 0);
}

async function newPage(options: BrowserContextOptions): Promise<ReusedPage> {
  const page = await (await workerBrowser()).newPage(options);
  const reused = { page, window: fakeMain(page) };
  page.on('pageerror', (error) => reused.window.problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') reused.window.problems.push(message.text());
  });
  await page.exposeFunction('fakeState', () => reused.window.state());
  await page.exposeFunction('fakePart', (start: number, before: number) => reused.window.part(start, before));
  await page.exposeFunction('onFakeSend', (...call: [string, ...unknown[]]) => reused.window.call(call));
  await page.exposeFunction('fakeAuth', () => reused.window.answerAuth());
  await page.addInitScript(fakeBridge);
  return reused;
}

const applied = (updates: readonly Update[]) =>
  updates.map((update) => updateApplied({ update, bytes: 0, tick: 0 }));

function fakeMain(page: Page) {
  const { store, forwarded } = mainStore();
  const forward = async (...actions: readonly Action[]) => {
    actions.forEach((action) => store.dispatch(action));
    // As text, because Playwright needs a second for a thousand objects.
    await page.evaluate(
      (list) => {
        const parsed: unknown = JSON.parse(list);
        if (Array.isArray(parsed)) parsed.forEach((one) => window.fakeMain.forward(one));
      },
      JSON.stringify(forwarded.splice(0)),
    );
  };
  let held: EventEmitter | undefined;
  const calling = new EventEmitter();
  /** The window's `send` and `invoke` calls, in order. */
  const calls: WindowCall[] = [];
  /** The page's errors and what its policy blocked. */
  const problems: string[] = [];
  return {
    page,
    calls,
    problems,
    call(call: WindowCall) {
      calls.push(call);
      calling.emit('called');
    },
    /** Resolves to the calls as soon as there are this many. */
    async called(count: number): Promise<readonly WindowCall[]> {
      while (calls.length < count) await once(calling, 'called');
      return calls;
    },
    state: () => stateText(store.getState()),
    /** Answers no request for a part of the conversation until the function that it returns is called. */
    holdParts() {
      held = new EventEmitter();
      return () => void held?.emit('released');
    },
    async part(start: number, before: number) {
      if (held !== undefined) await once(held, 'released');
      held = undefined;
      return partText(store.getState(), { start, before });
    },
    /** Answers `auth`: replace it before the request, or resolve its promise later. */
    answerAuth: (): Promise<string | undefined> => Promise.resolve(undefined),
    account: (account: string | false, reason?: string) => forward(signedInTo(account, reason)),
    /** Ends main's notices, as main does when a window has shown them: a window that is loaded again would show them. */
    noticesSeen() {
      const { passing, standing } = store.getState().notices;
      const raised = [passing, standing].filter((one) => one !== null);
      return forward(...raised.map(({ id }) => noticeSeen({ id })));
    },
    /** Applies updates, one after another. */
    apply: (...updates: Update[]) => forward(...applied(updates)),
    dispatch: forward,
    connected: () => forward(connectionConfirmed()),
    disconnected: (reason = '', retryAt?: number) =>
      forward(connectionClosed({ code: 1000, reason, retryAt })),
    /** Signs in, connects and applies the updates; resolves when the conversation is shown. */
    async signedIn(...updates: Update[]) {
      await forward(signedInTo('account-1'), connectionConfirmed(), ...applied(updates));
      await page.getByRole('log').waitFor();
    },
  };
}

/** Returns main's action of an account: windows know a mark in place of its identifier. */
const signedInTo = (account: string | false, reason: string | null = null) =>
  accountChanged({
    account: account && createHash('sha256').update(account).digest('hex').slice(0, 8),
    reason,
  });

/** Creates main's shared store, and the list of numbered actions for the windows. */
function mainStore() {
  const forwarded: unknown[] = [];
  const forward: Middleware = () => (next) => (action) => {
    forwarded.push(action);
    return next(action);
  };
  const store = configureStore({
    reducer: combineReducers({ ...sharedReducers, conversationStart: conversationStartReducer }),
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(sequenceMiddleware, forward),
  });
  return { store, forwarded };
}

type Listener = (...args: unknown[]) => void;

declare global {
  interface Window {
    /** Lets the test send messages as main. */
    fakeMain: {
      emit(channel: (typeof RECEIVED | typeof TOOLS_RECEIVED)[number], ...args: unknown[]): void;
      forward(action: unknown): void;
    };
    /** The actions of its state that the window has sent, each with its number. */
    reports: unknown[];
    fakeState(): Promise<string>;
    fakePart(start: number, before: number): Promise<string | null>;
    onFakeSend(channel: string, ...args: unknown[]): Promise<void>;
    fakeAuth(): Promise<string | undefined>;
  }
}

// The page receives only the source of this function, so nothing outside it exists there.
/* oxlint-disable unicorn/consistent-function-scoping */

/** Replaces the preload in the page, before the page's own scripts. It must be self-contained: only its source is sent. */
function fakeBridge(): void {
  const listeners = new Map<string, Set<Listener>>();
  const on = (channel: string, listener: Listener) => {
    listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
    return () => listeners.get(channel)?.delete(listener);
  };
  const emit = (channel: string, ...args: unknown[]) =>
    listeners.get(channel)?.forEach((listener) => listener(...args));
  const base64 = (buffer: ArrayBuffer) => {
    const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
    return btoa(binary);
  };
  const send = (channel: string, ...args: unknown[]) => void window.onFakeSend(channel, ...args);
  const invoke = async (channel: string, argument: unknown) => {
    if (argument instanceof ArrayBuffer) return base64(argument);
    await window.onFakeSend(channel, argument);
    return window.fakeAuth();
  };
  Object.assign(window, {
    reports: [],
    parley: { send, invoke, on },
    parleyTools: {
      on,
      // The tests are about what a person sees, so the actions of the window's state are only kept.
      send: (channel: string, action: unknown, number?: number) =>
        number === undefined ? send(channel, action) : void window.reports.push([number, action]),
    },
    parleySync: {
      fetchState: () => window.fakeState(),
      fetchPart: (start: number, before: number) => window.fakePart(start, before),
      onAction: (listener: Listener) => on('action', listener),
    },
    fakeMain: { emit, forward: (action: unknown) => emit('action', action) },
  });
}
