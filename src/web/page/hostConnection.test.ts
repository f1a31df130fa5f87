import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { encode, readFromPage } from '../bridge/bridge.ts';
import { type Found, HostConnection, type Socket } from './hostConnection.ts';
import { IpcRenderer } from './ipcRenderer.ts';

/** A socket whose events the test causes. */
class FakeSocket implements Socket {
  readyState = 0;
  readonly sent: string[] = [];
  readonly #listeners: [type: string, listener: (event: { readonly data: unknown }) => void][] = [];
  send = (frame: string) => void this.sent.push(frame);
  close = () => {};
  addEventListener = (type: string, listener: (event: { readonly data: unknown }) => void) =>
    void this.#listeners.push([type, listener]);
  emit(type: string, data?: unknown): void {
    for (const [of, listener] of this.#listeners) if (of === type) listener({ data });
  }
}

/** Connects a page to a host. */
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
  return {
    ipcRenderer,
    /** Opens the newest connection; returns what the page then sends. */
    open() {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('the page does not connect');
      socket.readyState = 1;
      socket.emit('message', encode(['host', 'this run', 'key']));
      return () => socket.sent.map((frame) => readFromPage(frame));
    },
    /** Ends the newest connection; the page looks for the host, and connects again when it finds it. */
    async lose() {
      sockets.at(-1)?.emit('close');
      clock.advance(1000);
      await Promise.resolve();
    },
    /** Decides what the page finds. */
    find: (next: Found) => void (found = next),
    async wait(ms: number) {
      clock.advance(ms);
      await Promise.resolve();
    },
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

test('looks for a host that has stopped each second, with the key that it gave, and connects when it runs again', async () => {
  const { open, lose, find, wait, counts, keys } = connect();
  open();
  find('stopped');
  await lose();
  for (let second = 0; second < 9; second++) await wait(1000);
  expect(counts()).toEqual({ sockets: 1, reaches: 10, unknown: 0 });
  find('ready');
  await wait(1000);
  expect(counts()).toMatchObject({ sockets: 2, reaches: 11 });
  expect(new Set(keys())).toEqual(new Set(['key']));
});

test('sends no further request to a host that does not know the page, until the person tries again', async () => {
  const { open, lose, find, wait, counts, retry } = connect();
  open();
  find('unknown');
  await lose();
  await wait(1_000_000);
  expect(counts()).toEqual({ sockets: 1, reaches: 1, unknown: 1 });
  find('ready');
  await retry();
  expect(counts()).toEqual({ sockets: 2, reaches: 2, unknown: 1 });
});
