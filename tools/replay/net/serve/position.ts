import type { ScriptConnection, ScriptStep } from './script.ts';

/** How far a script has been played. */
export interface Position {
  /** Which connection, from 0. */
  connection(): number;
  /** Whether every connection has been played. */
  isAtEnd(): boolean;
  /** The next step of this connection; `undefined` after its last. */
  step(): ScriptStep | undefined;
  /** The script's time: that of the last step played, or the connection's opening. */
  time(): number;
  advance(): void;
  /** The connection has ended. On to the next one if at most its close is left; `false` when there is more. */
  leave(): boolean;
}

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
