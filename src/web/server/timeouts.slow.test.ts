import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startTestHost } from '../testing/startTestHost.ts';

/** They end after 10 s and 5 s, and a busy machine may need some seconds more. A request that is not limited takes 30 s. */
const WITHIN_MS = 20_000;

/** Each connection has sent an accepted request: connections without one are closed sooner. */
it.each([
  ['header fields that never end', 'X-Slow: a\r\n'],
  ['no further request', ''],
])('closes a connection with %s', async (_what, drop) => {
  const { browser } = await startTestHost();
  const { host, port } = new URL(browser.origin);
  const socket = connect(Number(port), '127.0.0.1');
  const begun = performance.now();
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${browser.cookie}\r\n\r\n`);
  if (drop !== '') socket.write('GET / HTTP/1.1\r\n');
  const timer = setInterval(() => socket.writable && socket.write(drop), 500);
  onTestFinished(() => clearInterval(timer));
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  // The host resets a connection on which something arrives after its end.
  await new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(performance.now() - begun).toBeLessThan(WITHIN_MS);
});
