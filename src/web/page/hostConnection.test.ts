import { expect, test } from 'vitest';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { encode, readFromPage } from '../bridge/bridge.ts';
import { HostConnection, type Socket } from './hostConnection.ts';
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
  const connection = new HostConnection({
    connect() {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    later: (task, ms) => void clock.after(ms, task),
    defer: (task) => task(),
    onMessage() {},
    opened() {},
    lost: () => ipcRenderer.lost(),
    reload() {},
  });
  const ipcRenderer = new IpcRenderer((message) => connection.send(message));
  connection.open();
  return {
    ipcRenderer,
    /** Opens the newest connection; returns what the page then sends. */
    open() {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('the page does not connect');
      socket.readyState = 1;
      socket.emit('message', `[${encode(['host', 'this run'])}]`);
      return () => socket.sent.flatMap((frame) => readFromPage(frame));
    },
    /** Ends the newest connection; the page connects again. */
    lose() {
      sockets.at(-1)?.emit('close');
      clock.advance(1000);
    },
  };
}

test('sends a message that waited for a connection, and no request whose caller got an error', async () => {
  const { ipcRenderer, open, lose } = connect();
  open();
  lose();
  ipcRenderer.send('report', 1);
  const first = ipcRenderer.invoke('auth', 1);
  // The connection is refused.
  lose();
  await expect(first).rejects.toThrow('reply was never sent');
  void ipcRenderer.invoke('auth', 2);
  expect(open()()).toEqual([
    ['send', 'report', [1]],
    ['invoke', 2, 'auth', [2]],
  ]);
});

test('sends a request that was made before the first connection opened', () => {
  const { ipcRenderer, open } = connect();
  void ipcRenderer.invoke('state');
  expect(open()()).toEqual([['invoke', 1, 'state', []]]);
});
