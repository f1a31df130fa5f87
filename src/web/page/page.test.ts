import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import type { Found } from './hostConnection.ts';
import { type ToPage, bridgeProtocols, encode, readFromPage } from '../bridge/bridge.ts';

/** The part of an element, or of a document, that the page's modules use. */
class Part extends EventTarget {
  readonly attributes: Record<string, string> = {};
  parts: Part[] = [];
  parent: Part | null = null;
  textContent = '';
  open = false;
  /** `:hover` or `:focus-within`. */
  state = '';
  hasFocus: unknown = false;
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
    this.parent = null;
  }
  replaceChildren(...parts: readonly Part[]): void {
    for (const part of this.parts) part.remove();
    this.append(...parts);
  }
  attachShadow(): Part {
    const root = new Part('root');
    this.append(root);
    return root;
  }
  setAttribute = (name: string, value: string) => void (this.attributes[name] = value);
  matches = (selector: string) => selector.split(', ').includes(this.state);
  querySelector = (): Part | null => this.parts.find(({ tag }) => tag === 'button') ?? null;
  showModal(): void {
    if (this.open) throw new DOMException('It is open.', 'InvalidStateError');
    this.open = true;
  }
  close = () => void (this.open = false);
  focus = () => void (this.hasFocus = true);
  click = () => this.dispatchEvent(new Event('click'));
  all = (wanted: string): Part[] =>
    this.parts.flatMap((part) => [...(part.tag === wanted ? [part] : []), ...part.all(wanted)]);
  texts = (): string[] => [this.textContent, ...this.parts.flatMap((part) => part.texts())].filter(Boolean);
}

class FakeSocket extends EventTarget {
  static all: FakeSocket[] = [];
  readyState = 1;
  readonly sent: unknown[] = [];
  constructor(
    readonly url: string,
    readonly protocols: readonly string[],
  ) {
    super();
    FakeSocket.all.push(this);
  }
  send = (frame: string) => void this.sent.push(readFromPage(frame));
  close = () => void (this.readyState = 3);
}

class BrowserNotification extends EventTarget {
  static permission = 'granted';
  static requests = 0;
  static shown: BrowserNotification[] = [];
  static requestPermission = () => void BrowserNotification.requests++;
  constructor(
    readonly title: string,
    readonly options: object,
  ) {
    super();
    BrowserNotification.shown.push(this);
  }
  close = () => this.dispatchEvent(new Event('close'));
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('./hostConnection.ts');
});

const SECRET = 'parley-page-secret';
const RUN = 'this run';

const ORIGIN = 'http://127.0.0.1:4310';

const make = (tag: string) => new Part(tag);

/** Loads the page's modules in a document whose scripts have run; `secret` is what the browser has stored. */
async function load({
  secret = 'secret',
  userAgent = '',
  permission = 'denied',
}: { readonly secret?: string | null; readonly userAgent?: string; readonly permission?: string } = {}) {
  vi.resetModules();
  FakeSocket.all = [];
  Object.assign(BrowserNotification, { permission, requests: 0, shown: [] });
  const reach = vi.fn<(key: string | null) => Promise<Found>>(async () => 'stopped');
  vi.doMock('./hostConnection.ts', async (original) => ({ ...(await original<object>()), reachHost: reach }));
  const clock = virtualClock();
  const [documentElement, head] = [make('html'), make('head')];
  const state = { title: 'Parley', readyState: 'complete', hidden: false, documentElement, head };
  const document = Object.assign(make('document'), state, {
    createElement: make,
    hasFocus: (): boolean => true,
  });
  document.querySelector = () => null;
  document.append(documentElement);
  documentElement.append(head);
  const reload = vi.fn<() => void>();
  const address = { origin: ORIGIN, host: '127.0.0.1:4310', port: '4310', pathname: '/a b' };
  const location = { ...address, href: `${ORIGIN}/?token=t`, reload };
  const replace = vi.fn<(url: URL) => void>();
  const tab = { location: { pathname: 'blank', replace }, focus: vi.fn<() => void>() };
  const window = Object.assign(new EventTarget(), {
    document,
    location,
    navigator: { userAgent, clipboard: { writeText: vi.fn<(text: string) => Promise<void>>() } },
    localStorage: { getItem: () => secret },
    history: { replaceState: vi.fn<(...args: unknown[]) => void>() },
    setTimeout: (task: () => void, ms: number) => clock.after(ms, task),
    open: vi.fn<(url: string, name: string) => typeof tab | null>(() => tab),
    focus: vi.fn<() => void>(),
    CSSStyleSheet: class {
      replaceSync() {}
    },
    Notification: BrowserNotification,
  });
  for (const [name, value] of Object.entries({ window, document, location, WebSocket: FakeSocket }))
    vi.stubGlobal(name, value);
  const electron = await import('./pageElectron.ts');
  const socket = () => FakeSocket.all.at(-1) ?? new FakeSocket('none', []);
  const tell = (message: ToPage) =>
    void socket().dispatchEvent(Object.assign(new Event('message'), { data: encode(message) }));
  const [dialog = head, notes = head] = ['dialog', 'section'].flatMap((tag) => documentElement.all(tag));
  if (secret !== null) tell(['host', RUN, 'key']);
  const wait = async (ms: number) => {
    clock.advance(ms);
    await setImmediate();
  };
  const parts = { window, document, head, reload, reach, tab, dialog, notes, tell, socket, wait };
  return {
    ...electron,
    ...parts,
    /** What the page has sent since the last call, as text. */
    sent: () => socket().sent.splice(0).map(String).join(' '),
    happen(target: EventTarget, type: string, more: object = {}) {
      const event = Object.assign(new Event(type, { cancelable: true }), more);
      target.dispatchEvent(event);
      return event.defaultPrevented;
    },
    /** Ends the connection; the page looks for the host a second later. */
    async lose() {
      socket().close();
      socket().dispatchEvent(new Event('close'));
      await wait(1000);
    },
  };
}

type Loaded = Awaited<ReturnType<typeof load>>;
const forgotten = ({ reach, lose }: Loaded) => (reach.mockResolvedValue('unknown'), lose());
const show = (state: 'hidden' | 'minimized' | 'closed' | 'refused') => (page: Loaded) =>
  page.tell(['window', state]);

const CLOSED = /^This window is closed\. The session goes on\.$/;
const MINIMIZED = /^This window is minimised\. The session goes on\.$/;

it.each<[string, (page: Loaded) => unknown, text: RegExp, label: string, effects: readonly unknown[]]>([
  ['hidden', show('hidden'), CLOSED, 'Open again', ['show', 0, 0]],
  ['minimized', show('minimized'), MINIMIZED, 'Restore', ['show', 0, 0]],
  ['closed', show('closed'), CLOSED, 'Open again', ['', 1, 0]],
  ['refused', show('refused'), /^There is no window for this page\./, 'Try again', ['', 1, 0]],
  ['stopped', ({ lose }) => lose(), /^Parley has stopped\. Start it again with npm start\./, '', ['', 0, 0]],
  [
    'restarted',
    forgotten,
    /^Parley was started again and does not know this page\./,
    'Try again',
    ['', 0, 1],
  ],
])(
  'a page covers a window that is %s with a modal dialog that has the focus, until it is shown',
  async (...row) => {
    const [, happen, text, label, effects] = row;
    const page = await load();
    const { dialog, notes, reload, reach, tell, sent, happen: send } = page;
    expect([dialog.open, notes.parent?.tag]).toEqual([false, 'root']);
    tell(['window', 'hidden']);
    await happen(page);
    expect([dialog.open, notes.parent]).toEqual([true, dialog]);
    const words = dialog.texts().filter((one) => one !== label);
    expect(words.join(' ')).toMatch(text);
    expect(dialog.all('h2')[0]?.attributes).toEqual({ id: dialog.attributes['aria-labelledby'] });
    expect(dialog.all('p')[0]?.attributes).toEqual({ id: dialog.attributes['aria-describedby'] });
    const [button = dialog] = dialog.all('button');
    expect([button.hasFocus, button.textContent]).toEqual([true, label]);
    // Escape does not close it.
    expect(send(dialog, 'cancel')).toBe(true);
    reach.mockClear();
    sent();
    button.click();
    expect([sent(), reload.mock.calls.length, reach.mock.calls.length]).toEqual(effects);
    tell(['window', 'shown']);
    expect([dialog.open, notes.parent?.tag]).toEqual([false, 'root']);
  },
);

const store = ({ happen, window, reload }: Loaded, key: string, newValue: string | null) => {
  happen(window, 'storage', { key, newValue });
  return reload.mock.calls.length;
};

it('a page without a secret waits for it and then loads again, and a page that is connected goes on', async () => {
  const stranger = await load({ secret: null });
  expect(stranger.dialog.texts()[0]).toBe('Parley does not know this browser.');
  expect(FakeSocket.all).toEqual([]);
  expect([store(stranger, 'other', 's'), store(stranger, SECRET, null)]).toEqual([0, 0]);
  expect(store(stranger, SECRET, 's')).toBe(1);
  const known = await load();
  expect(store(known, SECRET, 's')).toBe(0);
  const { url, protocols } = known.socket();
  expect(url).toBe('ws://127.0.0.1:4310/-/bridge?page=%2Fa%20b');
  expect(protocols).toEqual(bridgeProtocols('secret'));
  // The token is not kept in the history.
  expect(String(known.window.history.replaceState.mock.calls[0]?.[2])).toBe(`${ORIGIN}/`);
});

it('a page reports its focus, once loaded its load, to each connection, and leaves for good', async () => {
  const { document, window, sent, happen, lose, tell, reach } = await load();
  expect(sent()).toBe('focus,true');
  happen(document, 'DOMContentLoaded');
  expect(sent()).toBe('loaded');
  document.hasFocus = () => false;
  happen(window, 'blur');
  document.hasFocus = () => true;
  happen(window, 'focus');
  document.hidden = true;
  happen(document, 'visibilitychange');
  expect(sent()).toBe('focus,false focus,true focus,false');
  tell(['host', RUN, 'key']);
  expect(sent()).toBe('focus,false loaded');
  happen(window, 'pagehide');
  await lose();
  expect([FakeSocket.all.length, reach.mock.calls.length]).toEqual([1, 0]);
});

it('a page sends what waited for a connection, and no request whose caller got an error, but nothing to another run of the host', async () => {
  const { ipcRenderer, lose, reach, tell, sent, socket, reload, happen, document } = await load();
  reach.mockResolvedValue('ready');
  await lose();
  ipcRenderer.send('report', 1);
  const first = ipcRenderer.invoke('auth', 1).catch(String);
  await lose();
  expect(await first).toContain('reply was never sent');
  void ipcRenderer.invoke('auth', 2).catch(() => {});
  happen(document, 'DOMContentLoaded');
  expect(sent()).toBe('');
  tell(['host', RUN, 'key']);
  expect(sent()).toBe('send,report,1 invoke,2,auth,2 focus,true loaded');
  await lose();
  tell(['host', RUN, 'key']);
  expect(sent()).toBe('focus,true loaded');
  await lose();
  ipcRenderer.send('report', 2);
  tell(['host', 'another run', 'key']);
  expect([sent(), socket().readyState, reload.mock.calls.length]).toEqual(['', 3, 1]);
});

it('a page looks each second for a host that has stopped, with the key that it gave, but for one that does not know it only when the person tries again, and for none when it has left', async () => {
  const page = await load();
  const { lose, wait, reach, tell, dialog, happen, window } = page;
  const counts = () => [FakeSocket.all.length, reach.mock.calls.length];
  await lose();
  for (let second = 0; second < 9; second++) await wait(1000);
  expect(counts()).toEqual([1, 10]);
  reach.mockResolvedValue('ready');
  await wait(1000);
  expect(counts()).toEqual([2, 11]);
  tell(['host', RUN, 'key']);
  reach.mockResolvedValue('unknown');
  await lose();
  await wait(1_000_000);
  expect([...counts(), store(page, SECRET, 's')]).toEqual([2, 12, 1]);
  reach.mockResolvedValue('ready');
  dialog.all('button')[0]?.click();
  happen(window, 'pagehide');
  await wait(1_000_000);
  expect([counts(), new Set(reach.mock.calls.map(([key]) => key))]).toEqual([[2, 13], new Set(['key'])]);
});

it('a page shows the tray as its title and icon, after its own are read, until the tray is destroyed', async () => {
  const { document, head, tell, happen } = await load();
  const shown = () => [document.title, ...head.all('link').map((link) => Reflect.get(link, 'href'))];
  document.readyState = 'loading';
  tell(['tray', 'one', 'data:1']);
  expect(shown()).toEqual(['Parley']);
  document.readyState = 'complete';
  happen(document, 'DOMContentLoaded');
  expect(shown()).toEqual(['one', 'data:1']);
  tell(['tray', 'two', 'data:2']);
  expect(shown()).toEqual(['two', 'data:2']);
  tell(['tray', null, null]);
  expect(shown()).toEqual(['Parley']);
  tell(['tray', 'three', 'data:3']);
  expect(shown()).toEqual(['three', 'data:3']);
});

it.each([
  ['Windows', 'ctrlKey'],
  ['Mac OS X', 'metaKey'],
])('a page of a browser on %s takes a shortcut with %s once, and no other key', async (userAgent, held) => {
  const { window, tell, happen, sent } = await load({ userAgent });
  const press = (more: object) => happen(window, 'keydown', { ...NONE, key: 'Enter', [held]: true, ...more });
  tell(['shortcuts', ['CommandOrControl+Return', 'Alt+K']]);
  sent();
  expect([press({}), press({ repeat: true })]).toEqual([true, true]);
  expect([press({ key: 'x' }), press({ shiftKey: true })]).toEqual([false, false]);
  expect(press({ [held]: false, altKey: true, key: 'k' })).toBe(true);
  expect(sent()).toBe('shortcut,CommandOrControl+Return shortcut,Alt+K');
  tell(['shortcuts', []]);
  expect([press({}), sent()]).toEqual([false, '']);
});

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
/** The reports of a notification that was shown. */
const events = (id: number, ...names: readonly string[]) =>
  names.map((name) => `notification,${id},${name}`).join(' ');

it('a page shows a notification with the browser when that is allowed', async () => {
  const { window, tell, sent, notes } = await load({ permission: 'granted' });
  sent();
  tell(['notify', 7, 'Ada', 'Hello']);
  const [shown = expect.unreachable()] = BrowserNotification.shown;
  expect([shown.title, shown.options, notes.parts]).toEqual(['Ada', { body: 'Hello' }, []]);
  for (const type of ['show', 'click']) shown.dispatchEvent(new Event(type));
  expect(window.focus).toHaveBeenCalledOnce();
  tell(['dismiss', 7]);
  tell(['dismiss', 7]);
  expect(sent()).toBe(events(7, 'show', 'click', 'close'));
  expect(BrowserNotification.requests).toBe(0);
});

it.each([
  ['default', 1],
  ['denied', 0],
])('a page shows a note when the browser’s permission is %s', async (permission, requests) => {
  const { tell, sent, notes, wait } = await load({ permission });
  sent();
  const note = (id: number) => {
    tell(['notify', id, 'Ada', 'Hello']);
    return notes.parts.at(-1) ?? make('none');
  };
  const [text, dismiss] = note(7).all('button');
  expect([BrowserNotification.requests, notes.texts()]).toEqual([requests, ['Ada', 'Hello', '×']]);
  expect(text?.parts).toMatchObject([{ dir: 'auto' }, { dir: 'auto' }]);
  expect(dismiss?.attributes).toEqual({ 'aria-label': 'Dismiss notification' });
  text?.click();
  expect([sent(), notes.parts]).toEqual([events(7, 'show', 'click', 'close'), []]);
  note(8).all('button')[1]?.click();
  note(9);
  tell(['dismiss', 9]);
  const closed = [8, 9].map((id) => events(id, 'show', 'close')).join(' ');
  expect([sent(), notes.parts]).toEqual([closed, []]);
  // A note stays while it is hovered or focused.
  const kept = note(10);
  kept.state = permission === 'default' ? ':hover' : ':focus-within';
  note(11);
  sent();
  await wait(9999);
  expect(notes.parts).toHaveLength(2);
  await wait(1);
  expect(notes.parts).toEqual([kept]);
  kept.state = '';
  await wait(10_000);
  expect([notes.parts, sent()]).toEqual([[], `${events(11, 'close')} ${events(10, 'close')}`]);
});

it('a page opens or finds a tab, or asks with a note for a click when the browser forbids it', async () => {
  const { window, tab, tell, notes } = await load();
  tell(['open', '/other', 'parley-2']);
  expect(window.open.mock.calls).toEqual([['', 'parley-2']]);
  expect(tab.location.replace.mock.calls.map(String)).toEqual([`${ORIGIN}/other`]);
  tab.location.pathname = '/other';
  tell(['open', '/other', 'parley-2']);
  expect([tab.location.replace.mock.calls.length, tab.focus.mock.calls.length]).toEqual([1, 2]);
  window.open.mockReturnValueOnce(null);
  tell(['open', '/other', 'parley-2']);
  expect(notes.texts()).toEqual(['Parley has a window to show.', 'Open it', '×']);
  notes.all('button')[0]?.click();
  expect([tab.focus.mock.calls.length, notes.parts]).toEqual([3, []]);
});

it('a page copies a text and says whether the browser allowed it', async () => {
  const { window, tell, sent } = await load();
  sent();
  const { writeText } = window.navigator.clipboard;
  writeText.mockResolvedValueOnce().mockRejectedValueOnce(new Error('denied'));
  tell(['copy', 1, 'a text']);
  tell(['copy', 2, 'another']);
  await setImmediate();
  expect(writeText.mock.calls).toEqual([['a text'], ['another']]);
  expect(sent()).toBe('copied,1,true copied,2,false');
});

const listener = () => vi.fn<(...args: unknown[]) => void>();

it('a preload listens to each message until it stops, or once, and exposes an object that stays', async () => {
  const { ipcRenderer, contextBridge, tell, window, lose } = await load();
  const [always, once, removed] = [listener(), listener(), listener()];
  const thrown = vi.fn<(task: () => void) => void>();
  vi.stubGlobal('queueMicrotask', thrown);
  ipcRenderer.once('c', () => expect.fail('first'));
  ipcRenderer.on('c', always).once('c', once).on('c', removed).removeListener('c', removed);
  tell(['send', 'c', [[1], 1]]);
  tell(['send', 'c', [[1], 2]]);
  tell(['send', 'd', [[1], 3]]);
  const values = [always, once, removed].map((one) => one.mock.calls.map(([, value]) => value));
  expect(values).toEqual([[1, 2], [1], []]);
  expect(() => thrown.mock.calls[0]?.[0]()).toThrow('first');
  const api = { send() {} };
  contextBridge.exposeInMainWorld('parley', api);
  expect(() => contextBridge.exposeInMainWorld('parley', {})).toThrow('Cannot bind an API');
  expect([Reflect.get(window, 'parley'), Object.isFrozen(api)]).toEqual([api, true]);
  const [first, refused, lost] = [1, 2, 3].map((number) => ipcRenderer.invoke('ask', number).catch(String));
  tell(['answer', 1, [['yes'][0]]]);
  tell(['refusal', 2, 'Error: no']);
  await lose();
  expect(await first).toBe('yes');
  expect(await refused).toBe("Error: Error invoking remote method 'ask': Error: no");
  expect(await lost).toContain('reply was never sent');
});
