/**
 * Bundles what a worker of `verify` runs, as the replay tool is built, into out/mutation/captureVerifier.js.
 * Stryker calls it in its copy of the sources, which contains every mutation.
 */
import { resolve } from 'node:path';
import { createBuilder } from 'vite';

const input = { captureVerifier: resolve('tools/replay/verify/captureVerifier.ts') };
const build = { outDir: resolve('out/mutation'), rolldownOptions: { input } };
const builder = await createBuilder({
  configFile: resolve('vite.config.ts'),
  logLevel: 'warn',
  environments: { replayCoverage: { build } },
});
await builder.build(builder.environments.replayCoverage);
