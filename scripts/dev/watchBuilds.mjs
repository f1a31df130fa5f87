import { resolve } from 'node:path';
import { createBuilder } from 'vite';

/**
 * Builds some environments of `vite.config.ts`, and again at each change of their sources.
 *
 * @param {string[]} names
 * @param {() => void} onRebuilt called after each later build that succeeded
 * @returns when all are built once; `close` ends the watching.
 */
export async function watchBuilds(names, onRebuilt) {
  // Two environments share a folder, so that neither may empty it.
  const build = { watch: {}, emptyOutDir: false };
  const builder = await createBuilder({
    configFile: resolve(import.meta.dirname, '../../vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    environments: Object.fromEntries(names.map((name) => [name, { build }])),
  });
  const watchers = [];
  for (const name of names) {
    const watcher = await builder.build(builder.environments[name]);
    watchers.push(watcher);
    await followBuilds(watcher, onRebuilt);
  }
  return { close: () => Promise.all(watchers.map((watcher) => watcher.close())) };
}

/** Resolves after the first build. @throws {Error} the first build's; errors of later ones are printed. */
function followBuilds(watcher, onRebuilt) {
  let isBuilt = false;
  return new Promise((resolveBuild, reject) => {
    watcher.on('event', ({ code, error }) => {
      if (code === 'ERROR' && isBuilt) process.stderr.write(`${error.message}\n`);
      if (code === 'ERROR') reject(error);
      if (code !== 'END') return;
      if (isBuilt) onRebuilt();
      isBuilt = true;
      resolveBuild();
    });
  });
}
