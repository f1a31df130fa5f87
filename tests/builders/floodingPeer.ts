import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A WebSocket server in a separate process: it answers pings and, when there is a frame, sends it without a pause. */
const PEER = `
import { WebSocketServer } from 'ws';
const [frame] = process.argv.slice(1);
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('listening', () => console.log(server.address().port));
server.on('connection', (socket) => {
  if (frame === undefined) return;
  const one = Buffer.from([0x81, frame.length, ...Buffer.from(frame)]);
  const chunk = Buffer.concat(Array(16_384).fill(one));
  const line = socket._socket;
  const flood = () => {
    while (line.write(chunk));
  };
  line.on('drain', flood);
  line.on('error', () => {});
  flood();
});
`;

/** Starts a peer that ends with the test; it sends `frame` (at most 125 bytes) without a pause. Resolves to its address. */
export async function floodingPeer(frame?: string): Promise<string> {
  const args = ['--input-type=module', '--eval', PEER, ...(frame === undefined ? [] : [frame])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port]: unknown[] = await once(child.stdout, 'data');
  return `ws://127.0.0.1:${String(port).trim()}/`;
}
