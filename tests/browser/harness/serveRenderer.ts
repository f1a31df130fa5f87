import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';

/** The built page of the window, the same for every host. */
const PAGE = resolve(import.meta.dirname, '../../../out/renderer');

/** The policy of the hosts, so that a violation fails here too. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'trusted-types dompurify',
  "require-trusted-types-for 'script'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Caches assets, whose names contain a hash: Chromium keeps the compiled code of a cached script and loads it in half the time. */
const ASSETS = { 'cache-control': 'max-age=86400, immutable', 'last-modified': new Date(0).toUTCString() };

/** Serves the window's page on a free port; the server does not keep the process alive. Returns its address. */
export async function serveRenderer(): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(PAGE, normalize(pathname === '/' ? '/index.html' : pathname));
    readFile(path).then(
      (body) =>
        response
          .writeHead(200, {
            'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
            'content-security-policy': POLICY,
            ...(pathname.startsWith('/assets/') ? ASSETS : {}),
          })
          .end(body),
      () => response.writeHead(404).end(),
    );
  });
  server.unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port }: { port: number } = Object(server.address());
  return `http://127.0.0.1:${port}/`;
}
