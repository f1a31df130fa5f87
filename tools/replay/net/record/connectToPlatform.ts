import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { FRAME_BYTES } from '#shared/limits.ts';
import { refuseUpgrade } from '../sockets/loopback.ts';

interface ConnectOptions {
  readonly request: IncomingMessage;
  /** The socket of the client's upgrade, which has no response yet. */
  readonly upgrade: Duplex;
  readonly platformUrl: string;
  readonly print: (line: string) => void;
  /** Is called when the platform's socket is open; returns `false` when the client could not be accepted. */
  readonly onOpen: (platform: WebSocket) => boolean;
}

/** The headers of the client's request that the platform may check. */
const FORWARDED = ['origin', 'user-agent', 'cookie', 'authorization'] as const;
const HANDSHAKE_MS = 10_000;

/**
 * Opens the platform's socket before the client is accepted. So the client gets what it would get without the proxy, also a
 * refusal, or a broken connection when nothing listens.
 */
export function connectToPlatform({ request, upgrade, platformUrl, print, onOpen }: ConnectOptions): void {
  const url = `${platformUrl}${request.url}`;
  if (!URL.canParse(url) || url.includes('#')) {
    refuseUpgrade(upgrade, '400 Bad Request');
    return;
  }
  const platform = new WebSocket(url, {
    headers: Object.fromEntries(FORWARDED.flatMap((name) => forwardedHeader(name, request.headers[name]))),
    handshakeTimeout: HANDSHAKE_MS,
    autoPong: false,
    maxPayload: FRAME_BYTES,
    skipUTF8Validation: true,
  });
  const abandon = () => platform.terminate();
  const fail = (error: NodeJS.ErrnoException) => {
    print(
      `the platform cannot be reached (${error.code ?? 'no WebSocket there'}); the client’s connection is closed`,
    );
    upgrade.destroy();
  };
  upgrade.once('close', abandon);
  platform.on('error', fail);
  platform.on('unexpected-response', (sent, { statusCode, statusMessage }) => {
    print(`the platform refuses the connection: ${statusCode}`);
    refuseUpgrade(upgrade, `${statusCode} ${statusMessage}`);
    upgrade.off('close', abandon);
    sent.destroy();
  });
  platform.once('open', () => {
    upgrade.off('close', abandon);
    platform.off('error', fail);
    if (!onOpen(platform)) platform.terminate();
  });
}

const forwardedHeader = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];
