/**
 * Runs the tests of `npm test`, in three programs that share the machine's cores: those in the browser, whose one worker waits half of the time, and then those of hostauth's HTTP service; 200
 * histories of the simulation; and all others. With arguments, which are Vitest's, only tests run, all in one program.
 *
 *   npm test
 *   npm test -- path/of/a.test.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const SIM = resolve(import.meta.dirname, '../out/sim/sim.js');
/** One process: each process compiles the programs for itself. */
const HISTORIES = ['--seeds', '200', '--workers', '1'];
/** They wait for nothing, so they take what the tests leave; beside other programs, a third of a test’s share. */
const HISTORIES_PRIORITY = 5;

const args = process.argv.slice(2);

/** Starts a program of Node. @param {import('node:child_process').StdioOptions} stdio */
function start(argv, stdio) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  return spawn(process.execPath, argv, { stdio, env: { ...process.env, ...colours } });
}

/** The command line of the tests of some projects. */
const testsOf = (...projects) => [
  VITEST,
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  ...args,
];

/** Resolves to whether a program ended without an error. */
async function hasPassed(program) {
  const [code] = await once(program, 'close');
  return code === 0;
}

/** Runs a program whose output is shown when the others have ended. */
async function runBeside(argv, priority = 0) {
  const program = start(argv, ['ignore', 'pipe', 'pipe']);
  if (program.pid !== undefined) setPriority(program.pid, priority);
  const outputs = [program.stderr, program.stdout].map(buffer);
  const passed = await hasPassed(program);
  return { passed, output: (await Promise.all(outputs)).join('') };
}

async function run() {
  if (args.length > 0) return hasPassed(start(testsOf('node', 'app', 'browser', 'http'), 'inherit'));
  const [others, browser, histories] = await Promise.all([
    hasPassed(start(testsOf('node', 'app'), 'inherit')),
    runBeside(testsOf('browser', 'http')),
    runBeside([SIM, ...HISTORIES], HISTORIES_PRIORITY),
  ]);
  process.stdout.write(browser.output);
  // Of a simulation without a failure, only the number of its histories.
  const { passed, output } = histories;
  process.stdout.write((passed && output.match(/.* virtual hours.*\n/)?.[0]) || output);
  return others && browser.passed && passed;
}

process.exitCode = (await run()) ? 0 : 1;
