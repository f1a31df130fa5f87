import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { handlerAddress } from '../../modules/protocol.ts';
import { createResume } from '../resume.ts';
import { type SecondInstance, type Server, type ServerDeps, startServer } from '../webServer.ts';

/** What a server needs of a host, whose pages say nothing. */
export const SERVER = {
  random: randomBytes,
  connect: () => ({ onMessage: () => {}, onClose: () => {} }),
  async answer(path: string, pageSecret = '') {
    if (handlerAddress('app://x/index.html', path) === null) return null;
    const status = path.endsWith('/missing.js') ? 404 : 200;
    const headers = { 'cache-control': 'max-age=9', 'content-security-policy': "default-src 'none'" };
    return new Response(`the page ${pageSecret}`, { status, headers });
  },
  preload: () => undefined,
  permissionsPolicy: () => 'usb=()',
  secondInstance({ argv }: SecondInstance, access: Server['access']) {
    if (argv.includes('--fail')) throw new Error('a fault');
    return { ready: access.invitation(), open: null };
  },
};

/** Starts a server until the end of the test. */
export async function start(port: number | null = 0, deps: Partial<ServerDeps> = {}): Promise<Server> {
  const resume = createResume(null, randomBytes);
  const server = await startServer({ ...SERVER, secret: () => 'secret', resume, ...deps }, port);
  onTestFinished(() => server.stop());
  return server;
}

/** The cookie of a browser that has used a token. */
export const cookieOf = (server: Server) => server.access.cookie.split(';')[0] ?? '';
