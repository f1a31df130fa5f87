import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { FRAME_BYTES } from '#shared/limits.ts';
import { refuseUpgrade } from '../sockets/loopback.ts';

interface Reaching {
  readonly request: IncomingMessage;
  /** The client's upgrade, without a response yet. */
  readonly line: Duplex;
  readonly platformUrl: string;
  readonly say: (line: string) => void;
  /** Is called when the platform's socket is open; returns `false` when the client could not be accepted. */
  readonly onOpen: (platform: WebSocket) => boolean;
}

/** The headers of the client's request that the platform may check. */
const PASSED = ['origin', 'user-agent', 'cookie', 'authorization'] as const;
const HANDSHAKE_MS = 10_000;

/**
 * Opens the platform's socket before the client is accepted. So the client gets what it would get without the proxy, also a
 * refusal, or a broken connection when nothing listens.
 */
export function reachPlatform({ request, line, platformUrl, say, onOpen }: Reaching): void {
  const url = `${platformUrl}${request.url}`;
  if (!URL.canParse(url) || url.includes('#')) {
    refuseUpgrade(line, '400 Bad Request');
    return;
  }
  const platform = new WebSocket(url, {
    headers: Object.fromEntries(PASSED.flatMap((name) => passedOn(name, request.headers[name]))),
    handshakeTimeout: HANDSHAKE_MS,
    autoPong: false,
    maxPayload: FRAME_BYTES,
    skipUTF8Validation: true,
  });
  const leave = () => platform.terminate();
  const fail = (error: NodeJS.ErrnoException) => {
    say(
      `the platform cannot be reached (${error.code ?? 'no WebSocket there'}); the client’s line is broken`,
    );
    line.destroy();
  };
  line.once('close', leave);
  platform.on('error', fail);
  platform.on('unexpected-response', (asked, { statusCode, statusMessage }) => {
    say(`the platform refuses the connection: ${statusCode}`);
    refuseUpgrade(line, `${statusCode} ${statusMessage}`);
    line.off('close', leave);
    asked.destroy();
  });
  platform.once('open', () => {
    line.off('close', leave);
    platform.off('error', fail);
    if (!onOpen(platform)) platform.terminate();
  });
}

const passedOn = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];
