import { once } from 'node:events';
import type { WebSocket } from 'ws';
import type { Clock } from '#shared/time/clock.ts';

/** "Going away". The reason stays empty, so that a client comes back when there is something again (spec §3.2). */
export const GOING_AWAY = 1001;
/** A peer that does not answer the close within this time is cut. */
const FAREWELL_MS = 500;

/** Closes sockets and waits until they are. */
export async function closeSockets(sockets: Iterable<WebSocket>, clock: Clock): Promise<void> {
  const open = [...sockets].filter(({ readyState, CLOSED }) => readyState !== CLOSED);
  const closed = open.map((socket) => once(socket, 'close'));
  const cancel = clock.after(FAREWELL_MS, () => open.forEach((socket) => socket.terminate()));
  for (const socket of open) socket.close(GOING_AWAY);
  await Promise.all(closed);
  cancel();
}
