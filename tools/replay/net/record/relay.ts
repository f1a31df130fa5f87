import type { WebSocket } from 'ws';
import type { KnownRecord } from '#shared/capture/format.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import { closeAs } from '../sockets/closeAs.ts';
import { frameData } from '../sockets/frameData.ts';

interface Relay {
  readonly client: WebSocket;
  readonly platform: WebSocket;
  /** Is called for each relayed event, without its time. */
  readonly onRecord: (record: Untimed) => void;
}

type WithoutTime<R> = R extends KnownRecord ? Omit<R, 't'> : never;
/** A record without its time. */
export type Untimed = WithoutTime<KnownRecord>;

/** While more than this is buffered for one side, the other side is not read. */
const BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Passes frames, pings, pongs and closes between two open sockets, unchanged and in both directions:
 *
 *     open ── either side closes or breaks ──▶ closed: the other side is closed in the same way
 */
export function relay({ client, platform, onRecord }: Relay): void {
  let isClosed = false;
  /** Frames of one side after the other has closed are dropped. */
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
    // The close that follows reports the same.
    from.on('error', () => {});
    from.on('close', closed(to));
  }
  // As the app records it: the connection is confirmed (spec §3.2).
  platform.once('pong', () => record({ type: 'action', action: connectionConfirmed() }));
}
