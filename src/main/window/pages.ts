import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol } from 'electron';

const SCHEME = 'parley';
/** The origin of our pages. A scheme of our own, for a `file:` page may read more than it should. */
export const APP_ORIGIN = `${SCHEME}://app`;
/** What a window shows. */
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.map': 'application/json',
};

/** Nothing but what we ship, and pictures and sounds that came as data. */
const CONTENT_SECURITY_POLICY = [
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
].join('; ');

/** Before `app` is ready: our scheme has an origin and is secure. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the renderer's files, and no other, from `folder`. */
export function servePages(folder: string): void {
  protocol.handle(SCHEME, async (request) => {
    const { host, pathname } = new URL(request.url);
    const path = normalize(join(folder, decodeURIComponent(pathname)));
    const type = TYPES[extname(path)];
    if (host !== 'app' || type === undefined || !path.startsWith(folder + sep)) return notFound();
    const body = await readOrNothing(path);
    if (body === undefined) return notFound();
    return new Response(body, {
      headers: {
        'content-type': type,
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
      },
    });
  });
}

const notFound = () => new Response('Not found', { status: 404 });

async function readOrNothing(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(path));
  } catch {
    return undefined;
  }
}
