import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import react from '@vitejs/plugin-react';
import { createLogger, createServer } from 'vite';

/**
 * Navigates a page to a restarted program, whose cookie and secret are new. The page also says when it connects which start it
 * came from: the program may have restarted while the page loaded.
 */
const followRestarts = (start) => `<script type="module">
  let followed = ${start};
  import.meta.hot.on('parley:started', ({ start, path }) => {
    if (start === followed) return;
    followed = start;
    location.replace(path);
  });
  import.meta.hot.send('parley:loaded', { start: followed });
</script>`;

/**
 * Starts Vite's server for a page, in front of the program that serves the page otherwise. The program
 * serves the document, the bridge and the data; Vite serves sources and styles.
 *
 * The program's checks of cookie, `Host`, `Origin` and page secret stay in force: only this server's own origin is rewritten
 * to the program's.
 *
 * @param {{ root: string, proxied: string[], built: RegExp[] }} target
 * @param {number} programPort
 * @returns `origin`: this server's. `navigate`: sends all pages to a path of the program, which has started again; also those
 *   that are still loading.
 */
export async function createPageServer({ root, proxied, built }, programPort) {
  const upstream = `http://127.0.0.1:${programPort}`;
  let origin = '';
  /** The newest start of the program: its number, and the path with its invitation. */
  let newest = { start: 0, path: '/' };
  const toProgram = ({ headers }) => {
    headers.host = new URL(upstream).host;
    if (headers.origin === origin) headers.origin = upstream;
  };
  const server = await createServer({
    configFile: false,
    root,
    appType: 'custom',
    // A package that Vite finds later reloads the page, which would lose its secret: the program sends it only once.
    optimizeDeps: { entries: ['index.tsx'] },
    customLogger: loggerWithoutProxyErrors(),
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      proxy: Object.fromEntries(
        proxied.map((path) => [path, { target: upstream, ws: true, bypass: toProgram }]),
      ),
      fs: { allow: [new URL('../..', import.meta.url).pathname] },
    },
    plugins: [react(), serveDocument({ upstream, toProgram, built, startOf: () => newest.start })],
  });
  server.ws.on('parley:loaded', ({ start }, client) => {
    if (start !== newest.start) client.send('parley:started', newest);
  });
  await server.listen();
  origin = `http://127.0.0.1:${server.httpServer.address().port}`;
  return {
    origin,
    navigate(path) {
      newest = { start: newest.start + 1, path };
      server.ws.send('parley:started', newest);
    },
    close: () => server.close(),
  };
}

/** While the program restarts, every request to it fails; the page reconnects by itself. */
function loggerWithoutProxyErrors() {
  const logger = createLogger('warn');
  const { error } = logger;
  logger.error = (message, options) => {
    if (!/proxy (socket )?error/.test(message)) error(message, options);
  };
  return logger;
}

/** Serves the program's document with Vite's scripts in place of the built ones. */
const serveDocument = ({ upstream, toProgram, built, startOf }) => ({
  name: 'parley:document',
  configureServer(server) {
    server.middlewares.use((incoming, response, next) => {
      const { pathname } = new URL(incoming.url, upstream);
      if (incoming.method !== 'GET' || pathname !== '/') return next();
      toProgram(incoming);
      request(`${upstream}${incoming.url}`, {
        headers: { ...incoming.headers, 'accept-encoding': 'identity' },
      })
        .once('response', (answer) => void passOn(answer, response).catch((error) => response.destroy(error)))
        .once('error', () => void showStarting(response).catch((error) => response.destroy(error)))
        .end();
      return undefined;
    });

    async function passOn(answer, response) {
      const { statusCode, headers } = answer;
      const script = followRestarts(startOf());
      const body = await text(answer);
      response.writeHead(statusCode, {
        'content-type': headers['content-type'] ?? 'text/plain',
        'cache-control': 'no-store',
        ...(headers['set-cookie'] && { 'set-cookie': headers['set-cookie'] }),
      });
      const isDocument = statusCode === 200;
      response.end(
        isDocument ? await server.transformIndexHtml('/', sourceDocument(body, built, script)) : body,
      );
    }

    /** The program does not listen yet; the page is navigated when it does. */
    async function showStarting(response) {
      const script = followRestarts(startOf());
      response.writeHead(503, { 'content-type': 'text/html' });
      response.end(await server.transformIndexHtml('/', `<p>The program is starting.</p>${script}`));
    }
  },
});

/** Replaces the built script by the source and drops the built styles, which the source imports. */
function sourceDocument(html, [script, styles], added) {
  const entry = '<script type="module" src="/index.tsx"></script>';
  return html.replace(styles, '').replace(script, `${entry}${added}`);
}
