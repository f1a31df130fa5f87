import { once } from 'node:events';
import type { WebSocket } from 'ws';
import type { Clock } from '#shared/time/clock.ts';

/** "Going away". The reason stays empty, so that clients reconnect later (spec §3.2). */
export const GOING_AWAY = 1001;
/** After this time, the socket of a peer that does not answer the close is terminated. */
const CLOSE_TIMEOUT_MS = 500;

/** Closes sockets and waits until all are closed. */
export async function closeSockets(sockets: Iterable<WebSocket>, clock: Clock): Promise<void> {
  const open = [...sockets].filter(({ readyState, CLOSED }) => readyState !== CLOSED);
  const closed = open.map((socket) => once(socket, 'close'));
  const cancel = clock.after(CLOSE_TIMEOUT_MS, () => open.forEach((socket) => socket.terminate()));
  for (const socket of open) socket.close(GOING_AWAY);
  await Promise.all(closed);
  cancel();
}
