/**
 * Runs the tests of `npm test`: those in the browser, whose one worker waits half of the time, beside all others. With arguments, which are Vitest's, all run
 * in one program.
 *
 *   npm test
 *   npm test -- path/of/a.test.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const args = process.argv.slice(2);

/** Starts the tests of some projects. @param {import('node:child_process').StdioOptions} stdio */
function start(projects, stdio) {
  const options = projects.flatMap((project) => ['--project', project]);
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  return spawn(process.execPath, [VITEST, 'run', ...options, ...args], {
    stdio,
    env: { ...process.env, ...colours },
  });
}

/** Resolves to whether the tests passed. */
async function hasPassed(tests) {
  const [code] = await once(tests, 'close');
  return code === 0;
}

async function run() {
  if (args.length > 0) return hasPassed(start(['node', 'app', 'browser'], 'inherit'));
  const browser = start(['browser'], ['ignore', 'pipe', 'pipe']);
  const [others, inBrowser, ...outputs] = await Promise.all([
    hasPassed(start(['node', 'app'], 'inherit')),
    hasPassed(browser),
    buffer(browser.stdout),
    buffer(browser.stderr),
  ]);
  for (const output of outputs) process.stdout.write(output);
  return others && inBrowser;
}

process.exitCode = (await run()) ? 0 : 1;
