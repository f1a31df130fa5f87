import { type EventEmitter, once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { captureParser } from '#shared/capture/parseCapture.ts';

/** Returns a clock that advances by a millisecond at each reading. */
export function virtualNow(): () => number {
  let ms = Date.UTC(2026, 10, 20, 9);
  return () => ms++;
}

/** Parses a capture; throws when a line is not valid. */
export function linesOf(text: string): Readonly<Record<string, unknown>>[] {
  const [first = '', ...rest] = text.split('\n').slice(0, -1);
  const parser = captureParser();
  return [Object(parser.header(first)), ...rest.map((line) => Object(parser.record(line)))];
}

/** Returns the records of a capture without their times, and without the last one. */
export const recordsOf = (text: string): Readonly<Record<string, unknown>>[] =>
  linesOf(text)
    .slice(1, -1)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([field]) => field !== 't')));

/** Returns the port of a server when it listens on it. */
export async function portOf(server: Pick<Server, 'address'> & EventEmitter): Promise<number> {
  await once(server, 'listening');
  return Object(server.address()).port;
}

/** Starts a server that is stopped after the test. Returns its address. */
export async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return `http://127.0.0.1:${await portOf(server)}`;
}
