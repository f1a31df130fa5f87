import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const at = (path: string) => resolve(import.meta.dirname, path);

/** In tests `electron` is the web host's, for Electron's runtime may be missing. */
const alias = [
  { find: /^electron$/, replacement: at('src/web/electron.ts') },
  { find: 'electron-redux/main', replacement: at('node_modules/electron-redux/es/main.js') },
];

/** Tests that take longer than a daily run may: `npm run test:slow` runs them, and `npm run test:all` with the others. */
const SLOW = '**/*.slow.test.ts';

/** Vitest's 5 s are too short for some tests while other programs use the machine. */
const BUSY_MACHINE_MS = 20_000;

export default defineConfig({
  test: {
    // All cores: part of what the tests do is wait, for browsers, sockets and programs.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/{files,shared}/**/*.test.ts',
            'tools/**/*.test.ts',
            'hostauth/**/*.test.ts',
            'scripts/**/*.test.ts',
            'soak/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, SLOW],
          // They leave nothing behind, so each file can use the modules that are loaded.
          isolate: false,
          testTimeout: BUSY_MACHINE_MS,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'app',
          include: ['src/!(files|shared)/**/*.test.ts', 'tests/*.test.ts'],
          exclude: [...configDefaults.exclude, SLOW],
          isolate: false,
          setupFiles: ['tests/freshModules.ts'],
          testTimeout: BUSY_MACHINE_MS,
          expect: { poll: { timeout: 10_000 } },
          server: { deps: { inline: ['electron-redux', 'redux-persist'] } },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          exclude: [...configDefaults.exclude, SLOW],
          // The files of a worker share its browser (`workerBrowser`).
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'slow',
          include: [SLOW],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          server: { deps: { inline: ['electron-redux', 'redux-persist'] } },
        },
      },
    ],
  },
});
