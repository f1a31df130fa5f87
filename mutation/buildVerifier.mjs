/**
 * Bundles what a worker of `verify` runs, as the replay tool is built, into out/mutation/captureVerifier.js.
 * Stryker calls it in its copy of the sources, which contains every mutation.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createBuilder } from 'vite';

const input = { captureVerifier: resolve('tools/replay/verify/captureVerifier.ts') };
const build = { outDir: resolve('out/mutation'), rolldownOptions: { input } };
const builder = await createBuilder({
  configFile: resolve('vite.config.ts'),
  logLevel: 'warn',
  environments: { replayCoverage: { build } },
});
await builder.build(builder.environments.replayCoverage);

// The mutations that the bundle contains: the bundler omits functions that no replay calls.
const code = readdirSync(build.outDir)
  .filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(join(build.outDir, name), 'utf8'))
  .join('\n');
const bundled = new Set(Array.from(code.matchAll(/stryMutAct_\w+(?:\$\d+)?\("(\d+)"\)/g), ([, id]) => id));
writeFileSync(resolve('../../bundled.json'), JSON.stringify([...bundled]));
