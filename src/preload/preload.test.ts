import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as channels from '#shared/ipc/channels.ts';
import { mockElectron } from '#tests/builders/mainStore.ts';
import { exposed, ipcMain, type Page } from '#tests/builders/electron.ts';
import { openPage } from '#tests/builders/openPage.ts';

type Listener = (...args: unknown[]) => void;

interface Api {
  send(channel: string, ...args: unknown[]): unknown;
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
  on(channel: string, listener: Listener): () => unknown;
}

/** The preload's objects, with the types of a page that does not use TypeScript. */
interface Exposed {
  parley: Api;
  parleyTools: Omit<Api, 'invoke'>;
  parleySync: {
    fetchState(): Promise<unknown>;
    fetchPart(start: number, before: number): Promise<unknown>;
    onAction(listener: Listener): () => unknown;
  };
  parleyInspect: { onLines(listener: Listener): () => unknown; onEnded(listener: Listener): () => unknown };
}

let page: Page;

async function load(pathname: string): Promise<void> {
  mockElectron();
  vi.stubGlobal('location', { pathname });
  page = openPage();
  await import('./preload.ts');
}

beforeEach(() => load('/index.html'));
afterEach(() => vi.unstubAllGlobals());

function inPage<N extends keyof Exposed>(name: N): Exposed[N] {
  // The tests check its real type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return exposed.get(name) as Exposed[N];
}
const parley = () => inPage('parley');

/** Returns a mock that receives main's messages on a channel, without the event. */
function listenInMain(channel: string) {
  const received = vi.fn<Listener>();
  ipcMain.on(channel, (_, ...args: unknown[]) => received(...args));
  return received;
}

const SYNC = ['fetchPart', 'fetchState', 'onAction'];
const MESSENGER = { parley: ['invoke', 'on', 'send'], parleyTools: ['on', 'send'], parleySync: SYNC };

test.each<[path: string, objects: object]>([
  ['/', MESSENGER],
  ['/index.html', MESSENGER],
  ['/inspector/index.html', { parleyInspect: ['onEnded', 'onLines', 'sourceLines'] }],
  ['/other.html', {}],
  ['/blob/0/0/x', {}],
  ['', {}],
])('contract §4 another page: exposes to the page at %j only its own objects', async (path, objects) => {
  await load(path);
  const names = [...exposed].map(([name, api]) => [name, Object.keys(Object(api)).toSorted()]);
  expect(Object.fromEntries(names)).toEqual(objects);
});

test.each([
  ...channels.SENT.map((channel) => [channel, 'parley'] as const),
  ...channels.TOOLS_SENT.map((channel) => [channel, 'parleyTools'] as const),
])('contract §4: sends the arguments of `%s` of `%s` to main', async (channel, name) => {
  const received = listenInMain(channel);
  expect(inPage(name).send(channel, 'an argument', { and: 'another' })).toBeUndefined();
  await page.deliver();
  expect(received.mock.calls).toEqual([['an argument', { and: 'another' }]]);
});

type Call = [channel: string, call: () => Promise<unknown>, args: readonly unknown[]];

test.each<Call>([
  ...channels.INVOKED.map((name): Call => [
    name,
    () => parley().invoke(name, 'an argument'),
    ['an argument'],
  ]),
  [channels.SYNC_STATE, () => inPage('parleySync').fetchState(), []],
  [channels.SYNC_PART, () => inPage('parleySync').fetchPart(1, 2), [1, 2]],
])('contract §4: returns main’s answer to `%s`', async (channel, call, args) => {
  ipcMain.handle(channel, (_, ...given) => ({ answerTo: given }));
  const answer = call();
  await page.deliver();
  expect(await answer).toEqual({ answerTo: args });
});

const UNKNOWN = ['settings', 'Message', '__proto__', channels.SYNC_ACTION];

test('contract §4 a seventh, contract §4 parleyTools: throws for a channel that is unknown or of another list, and sends nothing; the channels that Parley adds have their own object and list', async () => {
  const { SENT, INVOKED, RECEIVED, TOOLS_RECEIVED, TOOLS_SENT } = channels;
  expect(TOOLS_SENT).toEqual(['action']);
  const { send, invoke, on } = parley();
  const tools = inPage('parleyTools');
  const refused: [(channel: string) => unknown, readonly string[]][] = [
    [send, [...UNKNOWN, ...INVOKED, 'account', 'ws', ...TOOLS_SENT]],
    [invoke, [...UNKNOWN, ...SENT, ...RECEIVED]],
    [(channel) => on(channel, () => {}), [...UNKNOWN, 'auth', 'logout', 'nav', ...TOOLS_RECEIVED]],
    [tools.send, [...SENT, ...INVOKED, channels.SYNC_ACTION]],
    [(channel) => tools.on(channel, () => {}), ['ws']],
  ];
  const received = [...UNKNOWN, ...INVOKED, ...TOOLS_SENT].map(listenInMain);
  for (const [call, list] of refused)
    for (const channel of list)
      expect(() => call(channel)).toThrow(`There is no channel named ${JSON.stringify(channel)} here.`);
  await page.deliver();
  for (const one of received) expect(one).not.toHaveBeenCalled();
});

const onParley: Api['on'] = (...args) => parley().on(...args);
const onTools: Api['on'] = (...args) => inPage('parleyTools').on(...args);

test.each<readonly [channel: string, of: string, on: Api['on']]>([
  ...channels.RECEIVED.map((name) => [name, 'parley', onParley] as const),
  ...channels.TOOLS_RECEIVED.map((name) => [name, 'parleyTools', onTools] as const),
  [channels.SYNC_ACTION, 'parleySync', (_, listener) => inPage('parleySync').onAction(listener)],
])(
  'contract §4 on: passes the arguments of `%s` of `%s` to listeners, without the event, and not to a removed one',
  async (...[name, , on]) => {
    const [removed, kept] = [vi.fn<Listener>(), vi.fn<Listener>()];
    const listened = listenInMain(channels.MESSAGE_LISTENED);
    const remove = on(name, removed);
    on(name, kept);
    expect(remove()).toBeUndefined();
    page.webContents.send(name, 'an argument', 2);
    await page.deliver();
    expect(listened).toHaveBeenCalledTimes(name === 'message' ? 2 : 0);
    expect(removed).not.toHaveBeenCalled();
    expect(kept.mock.calls).toEqual([['an argument', 2]]);
  },
);

test('requests the session when a page follows it, and passes its lines and end without the event', async () => {
  await load('/inspector/index.html');
  const asked = listenInMain(channels.INSPECT_FOLLOW);
  const [lines, ended] = [vi.fn<Listener>(), vi.fn<Listener>()];
  const { onEnded, onLines } = inPage('parleyInspect');
  onEnded(ended);
  await page.deliver();
  expect(asked).not.toHaveBeenCalled();
  const remove = onLines(lines);
  await page.deliver();
  expect(asked.mock.calls).toEqual([[]]);
  page.webContents.send(channels.INSPECT_LINES, 'a line');
  page.webContents.send(channels.INSPECT_ENDED, 'the end');
  await page.deliver();
  remove();
  page.webContents.send(channels.INSPECT_LINES, 'another');
  await page.deliver();
  expect([lines.mock.calls, ended.mock.calls]).toEqual([[['a line']], [['the end']]]);
});
