import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { FRAME_BYTES } from '#shared/limits.ts';
import { refuseUpgrade } from '../sockets/loopback.ts';

interface Reaching {
  readonly request: IncomingMessage;
  /** The client's, still without an answer. */
  readonly line: Duplex;
  readonly platformUrl: string;
  readonly say: (line: string) => void;
  /** The platform's socket is open; `false` when the client could not be let in after all. */
  readonly onOpen: (platform: WebSocket) => boolean;
}

/** What of the client's request the platform may judge by. */
const PASSED = ['origin', 'user-agent', 'cookie', 'authorization'] as const;
const HANDSHAKE_MS = 10_000;

/**
 * Opens the platform's socket for a client, before the client is let in: so it gets what it would have got without us, also
 * when that is a refusal, or a broken line where nobody listens.
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
