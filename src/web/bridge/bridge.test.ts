import { EventEmitter } from 'node:events';
import { expect, it, vi, test } from 'vitest';
import { encodeForPage, encodeWith, readFromHost, readFromPage, encode } from './bridge.ts';
import { type Press, isPressed, parseAccelerator } from './accelerator.ts';
import { virtualClock } from '#shared/clock.ts';
import { type Found, type Socket, HostConnection } from '../page/hostConnection.ts';
import { IpcRenderer } from '../page/ipcRenderer.ts';

const sent = (...args: unknown[]): unknown => readFromHost(encodeWith(['send', 'c'], args))[2];

it('a sent value arrives unchanged, for each kind that the structured clone supports, and as an error if it is one', () => {
  const bytes = [new Uint8Array([1, 2]), new Uint8Array([3, 4]).buffer];
  const containers = [new Map([['a', new Set([1])]]), { nested: [{ deep: undefined }] }];
  const args = [undefined, null, -0, 12n, new Date(5), /x/g, ...bytes, ...containers];
  expect(sent(...args)).toEqual(args);
  const [error] = [sent(new RangeError('too far'))].flat();
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'RangeError', message: 'too far' });
});

it.each([
  ['a function', () => {}],
  ['a symbol', Symbol('s')],
  ['a promise', Promise.resolve()],
  ['an object with a function', { deep: [() => {}] }],
])('a sent value throws Electron’s error for %s', (_what, value) => {
  expect(() => sent(value)).toThrow('An object could not be cloned.');
});

const long = `"<\n\u2028é${'x'.repeat(5000)}`;

it.each([
  ['one argument', [long]],
  ['fields, beside other values', [{ type: 'a', payload: long, seq: 1n }, [`${long}!`, long], 'short']],
  ['a lone surrogate', [`${long}\ud800`, long]],
])('long texts to a page arrive unchanged as %s', (_, args) => {
  // As UTF-8, in which a WebSocket sends it.
  const received = Buffer.from(encodeForPage(['send', 'c'], args)).toString();
  expect(readFromHost(received)).toEqual(['send', 'c', args]);
});

it.each([
  ['', /JSON/],
  [`${encodeWith(['send', 'c'], ['a'])}\na long text beside it`, /JSON/],
  ['["nonsense"]', /invalid/i],
  ['["send","c",[{}]]', /list of arguments/],
  ['["send","c","x"]', /value that a page/],
  ['["send","message",[[-7,4294967295,0,1],1]]', /value that a page/],
  ['["send","c",[[1],["BigInt","9"]]]', /value that a page/],
  ['["send","c",[[1],["RegExp","(a+)+$"]]]', /value that a page/],
  ['["send","c",[[1],["Float64Array",2],4294967295]]', /value that a page/],
  ['["send","c",[[1],{"__proto__":0}]]', /value that a page/],
  ['["send","c",[[1,1],[2],5]]', /value that a page/],
  ['["send","c",[[0.5]]]', /value that a page/],
  [`["send","c",[[${'1,'.repeat(16)}1],5]]`, /More arguments/],
  ['['.repeat(1_000_000), /Nested deeper/],
  [`["send","c",[${Array.from({ length: 40 }, (_, i) => `[${i + 1}]`).join()},5]]`, /value that a page/],
])('a frame throws an error if no page sends it: %s', (frame, message) => {
  expect(() => readFromPage(frame)).toThrow(message);
});

it('a frame that a page sends is refused before it is parsed if it has more values than a page sends', () => {
  const keys = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`key ${at}`, at]));
  const frame = encodeWith(['send', 'report'], [0, keys]);
  const parse = vi.spyOn(JSON, 'parse');
  expect(() => readFromPage(frame)).toThrow('More values than a page sends.');
  expect(parse).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

it.each([
  ['a message', [{ category: 'image', text: 'a.png', blob: 'AAEC' }]],
  ['credentials', [{ email: 'ada@example.org', password: 'x', name: '' }]],
  ['bytes', [new Uint8Array([1, 2]).buffer, new Uint8Array([3])]],
  ['marks and equal texts', [undefined, null, -0, Number.NaN, Infinity, 'a', ['a', 'a']]],
  ['plain containers', [new Map([['a', new Set([new Date(5)])]]), { nested: [[[{}]]] }, []]],
])('a frame that a page sends arrives unchanged: %s', (_, args) => {
  expect(readFromPage(encodeWith(['send', 'c'], args))).toStrictEqual(['send', 'c', args]);
});

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it.each<[string, boolean, Partial<Press> & Pick<Press, 'key'>]>([
  ['CommandOrControl+Return', false, { key: 'Enter', ctrlKey: true }],
  ['CommandOrControl+Return', true, { key: 'Enter', metaKey: true }],
  ['CmdOrCtrl+Shift+R', false, { key: 'R', ctrlKey: true, shiftKey: true }],
  ['Control+Alt+7', true, { key: '7', ctrlKey: true, altKey: true }],
  ['Command+Option+Space', true, { key: ' ', metaKey: true, altKey: true }],
])('recognises %s by its keys (on a Mac: %s)', (text, isMac, keys) => {
  expect(isPressed(parseAccelerator(text, isMac), { ...NONE, ...keys })).toBe(true);
});

it('takes each name that Electron has for a modifier, and no other one', () => {
  const names = {
    ctrlKey: 'Control Ctrl',
    metaKey: 'Command Cmd Super Meta',
    altKey: 'Alt Option',
    shiftKey: 'Shift',
  };
  for (const [held, list] of Object.entries(names))
    for (const name of list.split(' '))
      expect(isPressed(parseAccelerator(`${name}+K`, false), { ...NONE, key: 'k', [held]: true })).toBe(true);
  for (const text of ['Hyper+K', 'K+', 'Control+F5', ''])
    expect(() => parseAccelerator(text, false)).toThrow(
      `The accelerator '${text}' is not available in the web host`,
    );
  expect(() => connect().ipcRenderer.sendSync()).toThrow('sendSync is not available in the web host');
});

class FakeSocket implements Socket {
  readyState = 0;
  readonly sent: string[] = [];
  readonly events = new EventEmitter();
  send = (frame: string) => void this.sent.push(frame);
  close = () => {};
  addEventListener = (type: string, listener: (event: { readonly data: unknown }) => void) =>
    void this.events.on(type, listener);
}

function connect() {
  const clock = virtualClock();
  const sockets: FakeSocket[] = [];
  const reaches: (string | null)[] = [];
  let found: Found = 'ready';
  let unknown = 0;
  const connection = new HostConnection({
    connect() {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    later: (task, ms) => void clock.after(ms, task),
    onMessage() {},
    opened() {},
    lost: () => ipcRenderer.lost(),
    reach(key) {
      reaches.push(key);
      return Promise.resolve(found);
    },
    unknown: () => void unknown++,
    reload() {},
  });
  const ipcRenderer = new IpcRenderer(connection);
  connection.open();
  const wait = async (ms: number) => {
    clock.advance(ms);
    await Promise.resolve();
  };
  return {
    ipcRenderer,
    /** Opens the newest connection; returns what the page then sends. */
    open() {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('the page does not connect');
      socket.readyState = 1;
      socket.events.emit('message', { data: encode(['host', 'this run', 'key']) });
      return () => socket.sent.map((frame) => readFromPage(frame));
    },
    /** Ends the newest connection; the page looks for the host, and connects again when it finds it. */
    async lose() {
      sockets.at(-1)?.events.emit('close');
      await wait(1000);
    },
    find: (next: Found) => void (found = next),
    wait,
    retry: () => connection.retry(),
    counts: () => ({ sockets: sockets.length, reaches: reaches.length, unknown }),
    keys: () => reaches,
  };
}

test('sends a message that waited for a connection, and no request whose caller got an error', async () => {
  const { ipcRenderer, open, lose } = connect();
  open();
  await lose();
  ipcRenderer.send('report', 1);
  const first = ipcRenderer.invoke('auth', 1);
  // The connection is refused.
  await lose();
  await expect(first).rejects.toThrow('reply was never sent');
  void ipcRenderer.invoke('auth', 2);
  expect(open()()).toEqual([
    ['send', 'report', [1]],
    ['invoke', 2, 'auth', [2]],
  ]);
});

test('looks for a host that has stopped each second, with the key that it gave, and for one that does not know the page only when the person tries again', async () => {
  const { open, lose, find, wait, counts, keys, retry } = connect();
  open();
  find('stopped');
  await lose();
  for (let second = 0; second < 9; second++) await wait(1000);
  expect(counts()).toEqual({ sockets: 1, reaches: 10, unknown: 0 });
  find('ready');
  await wait(1000);
  expect(counts()).toMatchObject({ sockets: 2, reaches: 11 });
  expect(new Set(keys())).toEqual(new Set(['key']));
  open();
  find('unknown');
  await lose();
  await wait(1_000_000);
  expect(counts()).toEqual({ sockets: 2, reaches: 12, unknown: 1 });
  find('ready');
  await retry();
  expect(counts()).toEqual({ sockets: 3, reaches: 13, unknown: 1 });
});
