import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a persistent connection to a server of this machine. `ask` sends the same request each time. */
export function openRawConnection(port: number, headers: Readonly<Record<string, string>>) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const fields = Object.entries({ Host: `127.0.0.1:${port}`, ...headers });
  const lines = ['GET / HTTP/1.1', ...fields.map(([name, value]) => `${name}: ${value}`)];
  return {
    async ask(): Promise<'answered' | 'closed'> {
      if (socket.closed) return 'closed';
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      // Not `once`: a reset by the server rejects it.
      return new Promise((resolve) => {
        socket.once('close', () => resolve('closed')).once('data', () => resolve('answered'));
      });
    },
  };
}
