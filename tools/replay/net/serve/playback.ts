import type { WebSocket } from 'ws';
import type { Clock } from '#shared/time/clock.ts';
import { type ComparisonReport, createComparison } from './comparison.ts';
import { createPlayer } from './player.ts';
import { createPosition } from './position.ts';
import type { ScriptConnection } from './script.ts';

/** The options of `createPlayback`. */
export interface PlaybackOptions {
  readonly connections: readonly ScriptConnection[];
  readonly clock: Clock;
  /** The factor of the recorded speed; `Infinity` sends at once. */
  readonly speed: number;
  /** Reports events and differences of the client's frames, one line each. */
  readonly print: (line: string) => void;
}

/** The result of serving a capture. */
interface ServeReport {
  readonly connections: { readonly recorded: number; readonly played: number };
  /** The comparison of the client's frames. */
  readonly frames: ComparisonReport;
}

/** Plays a capture to one client at a time; the others wait. */
export interface Playback {
  /** Adds a client's socket; it waits until the current client has left. */
  addClient(socket: WebSocket): void;
  report(): ServeReport;
}

/**
 * Plays a capture's connections to clients:
 *
 *     empty ── a client enters ──▶ playing ── the recorded close, or the client's ──▶ empty, at the next connection
 *       ▲                             │
 *       └── the client left before ───┘ at the rest of the same connection
 */
export function createPlayback({ connections, clock, speed, print }: PlaybackOptions): Playback {
  const position = createPosition(connections);
  const comparison = createComparison(connections, print);
  const player = createPlayer({ position, comparison, clock, speed, print });
  const clients: WebSocket[] = [];

  const begin = () => {
    const [client] = clients;
    if (client === undefined) return;
    const number = `connection ${position.connection() + 1} of ${connections.length}`;
    print(position.isAtEnd() ? 'a client connected, but everything has been played' : `plays ${number}`);
    player.begin(client);
  };
  const removeClient = (socket: WebSocket) => {
    const index = clients.indexOf(socket);
    clients.splice(index, 1);
    if (index > 0) return;
    player.stop();
    if (!position.leave()) print('the client left before the end; the next one continues from here');
    begin();
  };

  return {
    addClient(socket) {
      // The close event reports the same.
      socket.on('error', () => {});
      socket.on('close', () => removeClient(socket));
      socket.on('message', (data: Buffer, isBinary) => {
        comparison.receive(data, isBinary, position.connection());
        if (clients[0] === socket) player.resume();
      });
      clients.push(socket);
      if (clients.length === 1) begin();
      else print('another client connected; it waits until the first one has left');
    },
    report: () => ({
      connections: { recorded: connections.length, played: position.connection() },
      frames: comparison.report(),
    }),
  };
}
