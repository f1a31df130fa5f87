import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { type ToHost, encode, readFromHost, readFromPage } from '../bridge/bridge.ts';
import { createHost } from '../host.ts';
import type { Found, reachHost as reachRealHost } from '../page/hostConnection.ts';
import type { ServerDeps } from '../server/webServer.ts';

/** What each step of a test does, and how the page looks after it. */
export const story: string[] = [];
export const does = (what: string) => void story.push(`  ${what}`);

let connect: ServerDeps['connect'];
/** What the server of the newest host needs of it. */
export let server: ServerDeps;
vi.mock('../server/webServer.ts', async (original) => ({
  ...(await original<object>()),
  startServer: async (deps: ServerDeps) => {
    server = deps;
    ({ connect } = deps);
    return { port: 4310, access: { invitation: () => '' }, stop: async () => {} };
  },
}));

export const [APP, OTHER] = ['app://x/index.html', 'app://x/other.html'];

/** Reports the events of an object of main. */
export function hear(
  name: string,
  emitter: { on(event: string, listener: () => void): unknown },
  events: string,
) {
  for (const event of events.split(' ')) emitter.on(event, () => does(`main: ${name} ${event}`));
}

/** Starts a host with windows at these addresses. Pages connect to the newest host. */
export async function startHost(run: string, ...urls: readonly string[]) {
  const host = createHost({
    settings: () => ({ port: 0, open: false }),
    random: () => Buffer.from(run),
    print: () => {},
    complain: expect.unreachable,
    openBrowser: expect.unreachable,
    openUrl: async (url) => (does(`system opens ${url}`), Promise.reject(new Error('no program'))),
    exit: (code) => does(`main: ends with ${code}`),
    onSignal: () => {},
    pause: async () => {},
    now: () => 0,
    cpuTime: () => 0,
    every: () => {},
  });
  const open = async (url = APP) => {
    const window = new host.BrowserWindow({ webPreferences: { preload: 'preload.cjs' } });
    const name = `window ${window.id}`;
    hear(name, window, 'focus blur show hide minimize restore ready-to-show closed');
    hear(name, window.webContents, 'dom-ready did-finish-load render-process-gone destroyed');
    await window.loadURL(url);
    return window;
  };
  for (const url of urls) await open(url);
  await setImmediate();
  const windows = host.BrowserWindow.getAllWindows;
  const [window = await open()] = windows();
  host.app.on('activate', (_, hasWindows) => does(`main: app activate, with windows: ${hasWindows}`));
  sockets = 0;
  return { host, open, windows, window };
}

let sockets = 0;

/** A page's end of a connection to the host. */
class FakeSocket extends EventTarget {
  static newest: FakeSocket | undefined;
  readonly #name = `page ${++sockets}`;
  readonly #host: ReturnType<typeof connect>;
  readyState = 1;
  constructor(url: string, protocols: readonly string[] = []) {
    super();
    FakeSocket.newest = this;
    does(`${this.#name} connects to ${url} with ${protocols.join()}`);
    const page = { isOpen: () => this.readyState === 1, send: (frame: string) => this.#receive(frame) };
    this.#host = connect(page, new URL(url).searchParams.get('page') ?? '');
  }
  #receive(frame: string): void {
    does(`${this.#name} ◀ ${JSON.stringify(readFromHost(frame))}`);
    // Not before the page listens.
    process.nextTick(() => this.dispatchEvent(Object.assign(new Event('message'), { data: frame })));
  }
  send(frame: string): void {
    does(`${this.#name} ▶ ${JSON.stringify(readFromPage(frame))}`);
    this.#host.onMessage(readFromPage(frame));
  }
  close(): void {
    does(`${this.#name} closes`);
    this.readyState = 3;
    this.#host.onClose();
    this.dispatchEvent(new Event('close'));
  }
}

/** The part of an element, or of a document, that the page's modules use. */
class Part extends EventTarget {
  static focused: Part | undefined;
  readonly attributes: Record<string, unknown> = {};
  parts: Part[] = [];
  parent: Part | undefined;
  textContent = '';
  open = false;
  /** `:hover` or `:focus-within`. */
  state = '';
  constructor(readonly tag: string) {
    super();
  }
  get isConnected(): boolean {
    return this.tag === 'document' || this.parent?.isConnected === true;
  }
  append(...parts: readonly Part[]): void {
    for (const part of parts) {
      part.remove();
      part.parent = this;
      this.parts.push(part);
    }
  }
  remove(): void {
    if (this.parent) this.parent.parts = this.parent.parts.filter((one) => one !== this);
    this.parent = undefined;
  }
  replaceChildren(...parts: readonly Part[]): void {
    for (const part of this.parts) part.remove();
    this.append(...parts);
  }
  attachShadow = (): this => this;
  setAttribute = (name: string, value: string) => void (this.attributes[name] = value);
  matches = (selector: string) => selector.split(', ').includes(this.state);
  querySelector = (): Part | null => this.parts.find(({ tag }) => tag === 'button') ?? null;
  showModal(): void {
    if (this.open) throw new DOMException('It is open.', 'InvalidStateError');
    this.open = true;
  }
  close = () => void (this.open = false);
  focus = () => void (Part.focused = this);
  click = () => this.dispatchEvent(new Event('click'));
  all = (wanted: string): Part[] =>
    this.parts.flatMap((part) => [...(part.tag === wanted ? [part] : []), ...part.all(wanted)]);
  /** Draws the element and those in it, one on a line. */
  draw(indent = '    '): string {
    const own = ['open', 'dir', 'rel', 'href', 'tabIndex'].map((name) => [name, Reflect.get(this, name)]);
    const fields = [...own, ...Object.entries(this.attributes), ['focused', Part.focused === this]];
    const set = fields.filter(([, value]) => value !== undefined && value !== false);
    const words = [this.tag, ...set.map((field) => field.map(String).join('=')), this.textContent];
    const parts = this.parts.map((part) => part.draw(`${indent}  `));
    return [indent + words.join(' ').trimEnd(), ...parts].join('\n');
  }
}

export class BrowserNotification extends EventTarget {
  static permission = 'granted';
  static newest: BrowserNotification | undefined;
  static requestPermission = () => does('requests the permission');
  constructor(title: string, options: object) {
    super();
    BrowserNotification.newest = this;
    does(`shows with the browser: ${title} ${JSON.stringify(options)}`);
  }
  close = () => this.dispatchEvent(new Event('close'));
}

afterAll(() => {
  vi.unstubAllGlobals();
  for (const module of ['../page/hostConnection.ts', '../server/webServer.ts']) vi.doUnmock(module);
});

const make = (tag: string) => new Part(tag);

/** Tells a step: what it does, and how the page looks after it when that has changed. */
export async function step(what: string, task: () => unknown, look = () => ''): Promise<void> {
  story.push(what);
  const before = look();
  const result = await task();
  await setImmediate();
  if (result !== undefined) does(`→ ${JSON.stringify(result)}`);
  if (look() !== before) story.push(look());
}

/** Creates a page's window, whose scripts have run. */
function fakeWindow(secret: string | null, userAgent: string) {
  const clock = virtualClock();
  const [storage, tag] = [new Map<string, string>(), { content: secret, remove: vi.fn<() => void>() }];
  const [documentElement, head] = [make('html'), make('head')];
  const state = { title: 'Parley', readyState: 'complete', hidden: false, isFocused: true };
  const document = Object.assign(make('document'), state, {
    documentElement,
    head,
    createElement: make,
    querySelector: () => (secret === null ? null : tag),
    hasFocus: () => document.isFocused,
  });
  document.append(documentElement);
  documentElement.append(head);
  /** Whether the browser opens tabs and copies texts. */
  const browser = { allows: true };
  const tab = {
    location: { pathname: 'blank', replace: (url: URL) => does(`tab shows ${url.href}`) },
    focus: () => does('tab comes to the front'),
  };
  const writeText = async (text: string) => {
    does(`page copies ${text}`);
    if (!browser.allows) throw new Error('denied');
  };
  const window = Object.assign(new EventTarget(), {
    document,
    location: Object.assign(new URL('http://127.0.0.1:4310/?token=t'), {
      reload: () => does('page loads again'),
    }),
    navigator: { userAgent, clipboard: { writeText } },
    localStorage: {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
    },
    history: { replaceState: (...[, , url]: unknown[]) => does(`page has the address ${String(url)}`) },
    setTimeout: (task: () => void, ms: number) => clock.after(ms, task),
    open: (url: string, name: string) => (
      does(`page opens "${url}" as ${name}`),
      browser.allows ? tab : null
    ),
    focus: () => does('page comes to the front'),
    CSSStyleSheet: class {
      replaceSync() {}
    },
    Notification: BrowserNotification,
  });
  return { window, document, documentElement, browser, tab, tag, clock };
}

const looks = (key: string | null) => does(`page looks for the host with ${key}`);

/** Loads the page's modules; `secret` is what the browser has stored. */
export async function loadPage(
  secret: string | null = 'secret',
  { userAgent = '', permission = 'denied' } = {},
) {
  vi.resetModules();
  const { window, clock, ...parts } = fakeWindow(secret, userAgent);
  const { document, documentElement } = parts;
  BrowserNotification.permission = permission;
  const reach = vi.fn<(deps: Parameters<typeof reachRealHost>[1]) => Promise<Found>>(async () => 'stopped');
  const reachHost: typeof reachRealHost = (key, deps) => (looks(key), reach(deps));
  vi.doMock('../page/hostConnection.ts', async (original) => ({ ...(await original<object>()), reachHost }));
  const { location } = window;
  for (const [name, value] of Object.entries({ window, document, location, WebSocket: FakeSocket }))
    vi.stubGlobal(name, value);
  const look = () =>
    [`    ${document.title}`, ...documentElement.parts.map((part) => part.draw())].join('\n');
  const go = (what: string, task: () => unknown) => step(what, task, look);
  const happen = (target: EventTarget, type: string, more: object = {}) =>
    go(`page: ${type} ${JSON.stringify(more)}`, () => {
      const event = Object.assign(new Event(type, { cancelable: true }), more);
      target.dispatchEvent(event);
      return event.defaultPrevented ? 'prevented' : undefined;
    });
  const wait = (ms: number) => go(`page: ${ms} ms`, () => clock.advance(ms));
  const modules = import('../page/pageElectron.ts');
  await go('page: load', async () => void (await modules));
  // The page’s scripts cannot read it from the document.
  expect(parts.tag.remove).toHaveBeenCalledTimes(secret === null ? 0 : 1);
  const actions = {
    part: (tag: string) => documentElement.all(tag)[0] ?? make('none'),
    /** Presses the first button with this label. */
    press(label: string) {
      const button = documentElement.all('button').find((one) => one.draw().includes(label));
      return go(`page: press ${label}`, () => void button?.click());
    },
    store: (key: string, newValue: string | null) => happen(window, 'storage', { key, newValue }),
    /** Ends the connection; the page looks for the host a second later. */
    async lose() {
      await go('page: lost', () => FakeSocket.newest?.close());
      await wait(1000);
    },
  };
  return { ...(await modules), ...parts, ...actions, window, reach, go, happen, wait };
}

/** Connects another page, which only says and hears. */
export function otherPage(path = '/') {
  const socket = new FakeSocket(`ws://127.0.0.1:4310/?page=${path}`);
  return {
    tell: (...messages: readonly ToHost[]) => messages.forEach((message) => socket.send(encode(message))),
    leave: () => socket.close(),
  };
}

/** The next pages connect to a server that says nothing. Returns a function with which they connect to the host again. */
export function stopHost(): () => void {
  const before = connect;
  connect = () => ({ onMessage: () => expect.unreachable(), onClose: () => {} });
  return () => void (connect = before);
}
