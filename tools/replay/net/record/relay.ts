import type { WebSocket } from 'ws';
import type { KnownRecord } from '#shared/capture/format.ts';
import { connectionConfirmed } from '#shared/store/connection.ts';
import { closeAs } from '../sockets/closeAs.ts';
import { frameData } from '../sockets/frameData.ts';

interface Relay {
  readonly client: WebSocket;
  readonly platform: WebSocket;
  /** Hears of what passes, without its time. */
  readonly onRecord: (record: Untimed) => void;
}

type WithoutTime<R> = R extends KnownRecord ? Omit<R, 't'> : never;
/** A record without its time. */
export type Untimed = WithoutTime<KnownRecord>;

/** With more than this on its way to one side, the other is not read. */
const BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Passes frames, pings, pongs and closes between two open sockets, both ways and as they are:
 *
 *     open ── either side closes or breaks ──▶ closed: the other one is closed likewise
 */
export function relay({ client, platform, onRecord }: Relay): void {
  let isClosed = false;
  /** What one side still says when the other has gone reaches nobody. */
  const record = (what: Untimed) => {
    if (!isClosed) onRecord(what);
  };
  const closed = (other: WebSocket) => (code: number, reason: Buffer) => {
    closeAs(other, code, reason.toString());
    record({ type: 'close', code, reason: reason.toString() });
    isClosed = true;
  };
  record({ type: 'open' });
  for (const [from, to, type] of [
    [client, platform, 'send'],
    [platform, client, 'recv'],
  ] as const) {
    from.on('message', (data: Buffer, isBinary) => {
      record({ type, ...frameData(data, isBinary) });
      to.send(data, { binary: isBinary }, () => from.resume());
      if (to.bufferedAmount > BUFFERED_BYTES) from.pause();
    });
    from.on('ping', (data) => to.ping(data));
    from.on('pong', (data) => to.pong(data));
    // The close that follows says the same.
    from.on('error', () => {});
    from.on('close', closed(to));
  }
  // As the app records it: the platform is there (spec §3.2).
  platform.once('pong', () => record({ type: 'action', action: connectionConfirmed() }));
}
