import { resolve } from 'node:path';

const at = (path) => resolve(import.meta.dirname, '../..', path);

/**
 * What can be run for development.
 *
 * - `root`: the page's sources, which contain `index.tsx`.
 * - `environments`: the builds of `vite.config.ts` that the program consists of.
 * - `at`: the program's arguments for Node and its settings, for a port.
 * - `ready`: matches the line that the program prints when it listens; its first group is the address.
 * - `proxied`: the paths that the program answers; the page's server answers all others.
 * - `built`: matches the tags of the built script and styles in the document.
 */
export const targets = {
  messenger: {
    mostArguments: 0,
    start: () => ({
      title: 'Parley',
      root: at('src/renderer'),
      environments: ['start', 'webPreload'],
      at: (port) => ({
        command: [at('out/start/start.js')],
        env: { PARLEY_PORT: `${port}`, PARLEY_HOST: 'web', PARLEY_OPEN: '0' },
      }),
      ready: /^Parley is ready at (\S+)$/m,
      proxied: ['^/-/', '^/blob/', '^/inspector/', '^/assets/parley-'],
      built: [/<script type="module"[^>]*><\/script>/, /<link rel="stylesheet"[^>]*>/],
    }),
  },
  inspector: {
    mostArguments: 1,
    start: (captures) => ({
      title: 'The inspector',
      root: at('tools/replay/inspector'),
      environments: ['replay', 'inspectorWorker'],
      at: (port) => ({
        command: [at('out/replay/cli.js'), 'open', ...captures, '--no-open', '--port', `${port}`],
        env: {},
      }),
      ready: /(http:\/\/127\.0\.0\.1:\d+\/\S*)/m,
      proxied: ['^/capture$', '^/make-test$', '^/worker.js$'],
      built: [/<script src="inspector.js"><\/script>/, /<link rel="stylesheet"[^>]*>/],
    }),
  },
};
