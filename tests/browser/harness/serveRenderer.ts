import { readFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';

/** As it was built, for every host. */
const PAGE = resolve(import.meta.dirname, '../../../out/renderer');

/** As strict as the hosts' own: what would break there breaks in the tests. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "connect-src 'self'",
  "font-src 'self'",
  'trusted-types dompurify',
  "require-trusted-types-for 'script'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves the window's page on a free port. */
export async function serveRenderer(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(PAGE, normalize(pathname === '/' ? '/index.html' : pathname));
    readFile(path).then(
      (body) =>
        response
          .writeHead(200, {
            'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
            'content-security-policy': POLICY,
          })
          .end(body),
      () => response.writeHead(404).end(),
    );
  });
  const url = await listen(server);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, close };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}/`;
}
