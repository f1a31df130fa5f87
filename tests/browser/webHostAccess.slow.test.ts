import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Socket, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket as Client } from 'ws';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpFixtureHost, windowOf } from './harness/setUpFixtureHost.ts';

/** Tests the access control of the web host in a real browser. */
const host = setUpFixtureHost();

it('says what to do with the cookie but without the page’s secret, until another tab opens a new address', async () => {
  const first = await host().open();
  const { origin } = new URL(first.url());
  await first.evaluate(() => localStorage.clear());
  const page = await host().context.newPage();
  await page.goto(origin);
  await page.getByRole('dialog', { name: 'Parley does not know this browser.' }).waitFor();
  expect(await page.getByText(/^window/).count()).toBe(0);
  await host().open();
  await windowOf(page);
});

it('contract §2 foreign requests: gives neither the bridge nor a page’s secret to a server on another port that collects the cookie', async () => {
  const address = await host().start();
  const page = await host().visit(address);
  const { origin, host: authority } = new URL(address);
  let cookie = '';
  const server = createServer(({ headers }, response) => {
    cookie = headers.cookie ?? cookie;
    response.setHeader('content-type', 'text/html').end('<title>other</title>');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const other = await host().context.newPage();
  await other.goto(`http://127.0.0.1:${portOf(server)}/`);
  // The browser sends the cookie to every port, but gives the storage only to its own origin.
  const pageSecret = await page.evaluate(() => localStorage.getItem('parley-page-secret'));
  expect([cookie, pageSecret]).toEqual([
    expect.stringMatching(/^parley-\d+=[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
  expect(await other.evaluate(() => localStorage.length)).toBe(0);
  const opened = other.evaluate(
    (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url);
        socket.addEventListener('open', () => resolve('open'));
        socket.addEventListener('close', () => resolve('refused'));
      }),
    `ws://${authority}/-/bridge`,
  );
  expect(await opened).toBe('refused');
  // That server is a program, so it can send any headers.
  const headers = { cookie, origin };
  expect(await (await fetch(origin, { headers })).text()).not.toContain(pageSecret);
  const socket = new Client(`ws://${authority}/-/bridge`, ['parley-bridge', cookie.split('=')[1] ?? ''], {
    headers,
  });
  const [, refusal] = await once(
    socket.on('error', () => {}),
    'unexpected-response',
  );
  expect(refusal).toMatchObject({ statusCode: 403 });
});

it('lets the owner in at once while 400 connections of unknown clients stay open', async () => {
  const address = await host().start({ handles: 256 });
  const { port } = new URL(address);
  const unknownClients = Array.from({ length: 400 }, (_, at) => unknownClient(Number(port), at % 2 === 0));
  onTestFinished(() => unknownClients.forEach(({ socket }) => socket.destroy()));
  await Promise.all(unknownClients.map(({ opened }) => opened));
  await vi.waitFor(
    () => expect(unknownClients.filter(({ socket }) => !socket.closed).length).toBeLessThan(100),
    POLLING,
  );
  const page = await host().visit(address);
  await page.getByRole('button', { name: 'Echo' }).click();
  await page.getByText(/^when,/).waitFor();
});

/** Opens a connection without a request, or with one that never ends. */
function unknownClient(port: number, isSilent: boolean): { socket: Socket; opened: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  if (!isSilent) socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  return { socket, opened: Promise.race([once(socket, 'connect'), once(socket, 'close')]) };
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
