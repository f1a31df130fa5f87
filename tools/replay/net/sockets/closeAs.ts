import type { WebSocket } from 'ws';

const NO_CODE = 1005;
/** Codes for a missing or unreadable close frame: they are never on the wire. */
const UNSENDABLE: ReadonlySet<number> = new Set([1006, 1015]);

/** Closes a socket so that its peer sees this code and reason: 1005 sends an empty frame, 1006 breaks the connection. */
export function closeAs(socket: WebSocket, code: number, reason: string): void {
  if (UNSENDABLE.has(code)) socket.terminate();
  else if (code === NO_CODE) socket.close();
  else socket.close(code, reason);
}
