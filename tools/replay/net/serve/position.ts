import type { ScriptConnection, ScriptStep } from './script.ts';

/** The position in a script. */
export interface Position {
  /** The number of the connection, from 0. */
  connection(): number;
  /** Whether every connection has been played. */
  isAtEnd(): boolean;
  /** Returns the next step of this connection; `undefined` after the last. */
  step(): ScriptStep | undefined;
  /** Returns the script's time: that of the last played step, or the connection's opening. */
  time(): number;
  advance(): void;
  /** Ends the connection. Advances to the next one when at most its close is left; otherwise returns `false`. */
  leave(): boolean;
}

/** Creates the position at the first step of the first connection. */
export function createPosition(connections: readonly ScriptConnection[]): Position {
  let connection = 0;
  let next = 0;
  const step = () => connections[connection]?.steps[next];
  return {
    connection: () => connection,
    isAtEnd: () => connection >= connections.length,
    step,
    time() {
      const { openedAt = 0, steps = [] } = connections[connection] ?? {};
      return steps[next - 1]?.t ?? openedAt;
    },
    advance() {
      next += 1;
    },
    leave() {
      const left = step();
      if (left !== undefined && left.type !== 'close') return false;
      connection = Math.min(connection + 1, connections.length);
      next = 0;
      return true;
    },
  };
}
