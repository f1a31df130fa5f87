import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { captureParser } from '#shared/capture/parseCapture.ts';

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

/** Starts a server of requests and sockets, which is stopped after the test. Returns its address. */
export async function startServer(
  listener: RequestListener,
  onSocket?: (socket: WebSocket, path?: string) => void,
): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url }) => onSocket?.(socket, url));
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${Object(server.address()).port}`;
}
