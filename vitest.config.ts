import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const at = (path: string) => resolve(import.meta.dirname, path);

/** In tests `electron` is the web host's, for Electron's runtime may be missing. */
const alias = [
  { find: /^electron$/, replacement: at('src/web/electron.ts') },
  { find: 'electron-redux/main', replacement: at('node_modules/electron-redux/es/main.js') },
];

export default defineConfig({
  test: {
    // Half of what the tests do is wait: for browsers, sockets and programs.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/shared/**/*.test.ts',
            'tools/**/*.test.ts',
            'hostauth/**/*.test.ts',
            'packaging/*.test.ts',
          ],
          // They leave nothing behind, so a file need not load everything anew.
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'app',
          include: ['src/!(shared)/**/*.test.ts', 'tests/*.test.ts'],
          server: { deps: { inline: ['electron-redux', 'redux-persist'] } },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
