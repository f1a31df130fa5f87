import type { WebSocket } from 'ws';

const NO_CODE = 1005;
/** These say that there was no close frame, or none that could be read: they are never on the wire. */
const UNSENDABLE: ReadonlySet<number> = new Set([1006, 1015]);

/** Closes a socket so that its peer sees this code and reason: without a code, an empty frame; 1006, a broken line. */
export function closeAs(socket: WebSocket, code: number, reason: string): void {
  if (UNSENDABLE.has(code)) socket.terminate();
  else if (code === NO_CODE) socket.close();
  else socket.close(code, reason);
}
