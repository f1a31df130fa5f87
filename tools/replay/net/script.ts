import {
  type CaptureRecord,
  type CloseRecord,
  type FrameRecord,
  type KnownRecord,
  type OpenRecord,
  isKnown,
} from '#shared/capture/captureFormat.ts';

/** One event of a connection, of the platform or of the client, in the order of the capture. */
export type ScriptStep = FrameRecord | CloseRecord;

/** One connection of a capture. */
export interface ScriptConnection {
  /** The time of its opening, milliseconds since the session's launch. */
  readonly openedAt: number;
  readonly steps: readonly ScriptStep[];
}

/** Reads the connections of a capture, one after the other; at least one. */
export async function readScript(
  batches: AsyncIterable<readonly CaptureRecord[]>,
): Promise<readonly ScriptConnection[]> {
  const connections: { openedAt: number; steps: ScriptStep[] }[] = [];
  let isOpen = false;
  const open = (openedAt: number) => {
    isOpen = true;
    connections.push({ openedAt, steps: [] });
  };
  for await (const batch of batches) {
    for (const record of batch) {
      if (!isKnown(record) || !isOfConnection(record)) continue;
      // A close without an open connection is a failed attempt: there is nothing to play. A frame without an open
      // connection belongs to one that was open when the capture began.
      if (!isOpen && record.type === 'close') continue;
      if (!isOpen) open(record.t);
      if (record.type === 'open') continue;
      connections.at(-1)?.steps.push(record);
      if (record.type === 'close') isOpen = false;
    }
  }
  return connections.length > 0 ? connections : [{ openedAt: 0, steps: [] }];
}

/** Returns whether a record belongs to a connection. */
const isOfConnection = (record: KnownRecord): record is ScriptStep | OpenRecord =>
  record.type !== 'action' && record.type !== 'launch' && record.type !== 'release';

/** Returns whether this is the client's own close (spec §3.1), which only the client can repeat. */
export const isClientsClose = ({ code, reason }: CloseRecord): boolean =>
  code === 1000 && reason === 'logout';

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
