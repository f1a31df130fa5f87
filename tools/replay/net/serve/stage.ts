import type { WebSocket } from 'ws';
import type { Clock } from '#shared/time/clock.ts';
import { type ComparisonReport, createComparison } from './comparison.ts';
import { createPlayer } from './player.ts';
import { createPosition } from './position.ts';
import type { ScriptConnection } from './script.ts';

export interface StageOptions {
  readonly connections: readonly ScriptConnection[];
  readonly clock: Clock;
  /** How many times faster than it was recorded; `Infinity` is at once. */
  readonly speed: number;
  /** Hears in a line what happens and how the client's frames differ. */
  readonly say: (line: string) => void;
}

/** What came of a capture that was served. */
export interface ServeReport {
  readonly connections: { readonly recorded: number; readonly played: number };
  /** The client's frames. */
  readonly frames: ComparisonReport;
}

/** Where a capture is played, to one client at a time. */
export interface Stage {
  /** A client's socket; where one is being played to already, its turn comes after that. */
  enter(socket: WebSocket): void;
  report(): ServeReport;
}

/**
 * Plays a capture's connections to the clients that come:
 *
 *     empty ── a client enters ──▶ playing ── the recorded close, or the client's ──▶ empty, at the next connection
 *       ▲                             │
 *       └── the client left before ───┘ at the rest of the same connection
 */
export function createStage({ connections, clock, speed, say }: StageOptions): Stage {
  const position = createPosition(connections);
  const comparison = createComparison(connections, say);
  const player = createPlayer({ position, comparison, clock, speed, say });
  const turns: WebSocket[] = [];

  const begin = () => {
    const [client] = turns;
    if (client === undefined) return;
    const number = `connection ${position.connection() + 1} of ${connections.length}`;
    say(position.isAtEnd() ? 'a client came, and nothing is left to play' : `plays ${number}`);
    player.begin(client);
  };
  const leave = (socket: WebSocket) => {
    const turn = turns.indexOf(socket);
    turns.splice(turn, 1);
    if (turn > 0) return;
    player.stop();
    if (!position.leave()) say('the client left before the end; the next one goes on from here');
    begin();
  };

  return {
    enter(socket) {
      // Its close says the same.
      socket.on('error', () => {});
      socket.on('close', () => leave(socket));
      socket.on('message', (data: Buffer, isBinary) => {
        comparison.heard(data, isBinary, position.connection());
        if (turns[0] === socket) player.goOn();
      });
      turns.push(socket);
      if (turns.length === 1) begin();
      else say('another client came; its turn is when the first one has left');
    },
    report: () => ({
      connections: { recorded: connections.length, played: position.connection() },
      frames: comparison.report(),
    }),
  };
}
