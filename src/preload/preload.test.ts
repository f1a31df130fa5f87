import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as channels from '#shared/ipc/channels.ts';
import { mockElectron } from '#tests/builders/mainStore.ts';
import { exposed, ipcMain, type Page } from '#tests/builders/electron.ts';
import { openPage } from '#tests/builders/openPage.ts';

type Listener = (...args: unknown[]) => void;

let page: Page;

async function load(pathname: string): Promise<void> {
  mockElectron();
  vi.stubGlobal('location', { pathname });
  page = openPage();
  await import('./preload.ts');
}

beforeEach(() => load('/index.html'));
afterEach(() => vi.unstubAllGlobals());

/** Calls a function of one of the preload's objects, as a page does that does not use TypeScript. */
const call = (object: string, method: string, ...args: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(Object(exposed.get(object)), method), undefined, args);

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

const of = (object: string, list: readonly string[]) => list.map((channel) => [channel, object] as const);

test.each([...of('parley', channels.SENT), ...of('parleyTools', channels.TOOLS_SENT)])(
  'contract §4: sends the arguments of `%s` of `%s` to main',
  async (channel, object) => {
    const received = listenInMain(channel);
    expect(call(object, 'send', channel, 'an argument', { and: 'another' })).toBeUndefined();
    await page.deliver();
    expect(received.mock.calls).toEqual([['an argument', { and: 'another' }]]);
  },
);

test.each<[channel: string, object: string, method: string, given: unknown[], args: unknown[]]>([
  ...channels.INVOKED.map(
    (name) => [name, 'parley', 'invoke', [name, 1], [1]] as [string, string, string, unknown[], unknown[]],
  ),
  [channels.SYNC_STATE, 'parleySync', 'fetchState', [], []],
  [channels.SYNC_PART, 'parleySync', 'fetchPart', [1, 2], [1, 2]],
])(
  'contract §4: returns main’s answer to `%s` of `%s`',
  async (...[channel, object, method, given, args]) => {
    ipcMain.handle(channel, (_, ...received) => ({ answerTo: received }));
    const answer = call(object, method, ...given);
    await page.deliver();
    expect(await answer).toEqual({ answerTo: args });
  },
);

const UNKNOWN = ['settings', 'Message', '__proto__', channels.SYNC_ACTION];

test('contract §4 a seventh, contract §4 parleyTools: throws for a channel that is unknown or of another list, and sends nothing; the channels that Parley adds have their own object and list', async () => {
  const { SENT, INVOKED, RECEIVED, TOOLS_RECEIVED, TOOLS_SENT } = channels;
  expect(TOOLS_SENT).toEqual(['action']);
  const received = [...UNKNOWN, ...INVOKED, ...TOOLS_SENT].map(listenInMain);
  for (const [object, method, list] of [
    ['parley', 'send', [...UNKNOWN, ...INVOKED, 'account', 'ws', ...TOOLS_SENT]],
    ['parley', 'invoke', [...UNKNOWN, ...SENT, ...RECEIVED]],
    ['parley', 'on', [...UNKNOWN, 'auth', 'logout', 'nav', ...TOOLS_RECEIVED]],
    ['parleyTools', 'send', [...SENT, ...INVOKED, channels.SYNC_ACTION]],
    ['parleyTools', 'on', ['ws']],
  ] as const)
    for (const channel of list)
      expect(() => call(object, method, channel, () => {})).toThrow(
        `There is no channel named ${JSON.stringify(channel)} here.`,
      );
  await page.deliver();
  for (const one of received) expect(one).not.toHaveBeenCalled();
});

test.each([
  ...of('parley', channels.RECEIVED),
  ...of('parleyTools', channels.TOOLS_RECEIVED),
  ...of('parleySync', [channels.SYNC_ACTION]),
])(
  'contract §4 on: passes the arguments of `%s` of `%s` to listeners, without the event, and not to a removed one',
  async (name, object) => {
    const [removed, kept] = [vi.fn<Listener>(), vi.fn<Listener>()];
    const listened = listenInMain(channels.MESSAGE_LISTENED);
    const on = (listener: Listener) =>
      object === 'parleySync' ? call(object, 'onAction', listener) : call(object, 'on', name, listener);
    const remove = on(removed);
    on(kept);
    expect(Reflect.apply(Object(remove), undefined, [])).toBeUndefined();
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
  call('parleyInspect', 'onEnded', ended);
  await page.deliver();
  expect(asked).not.toHaveBeenCalled();
  const remove = call('parleyInspect', 'onLines', lines);
  await page.deliver();
  expect(asked.mock.calls).toEqual([[]]);
  page.webContents.send(channels.INSPECT_LINES, 'a line');
  page.webContents.send(channels.INSPECT_ENDED, 'the end');
  await page.deliver();
  Reflect.apply(Object(remove), undefined, []);
  page.webContents.send(channels.INSPECT_LINES, 'another');
  await page.deliver();
  expect([lines.mock.calls, ended.mock.calls]).toEqual([[['a line']], [['the end']]]);
});
