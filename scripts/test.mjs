/**
 * Runs the tests of `npm test`, in four programs that share the machine's cores: those in the browser, whose one worker waits half of the time; those of hostauth; 200 histories of the simulation;
 * and all others. With arguments, which are Vitest's, only tests run, all in one program.
 *
 *   npm test
 *   npm test -- path/of/a.test.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const SIM = resolve(import.meta.dirname, '../out/sim/sim.js');
/** One process: each process compiles the programs for itself. */
const HISTORIES = ['--seeds', '200', '--workers', '1'];
/** They wait for nothing, so they take what the tests leave, until those have ended. */
const HISTORIES_PRIORITY = 15;

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

/** Starts a program, whose output is shown when the others have ended. */
function startBeside(argv) {
  const program = start(argv, ['ignore', 'pipe', 'pipe']);
  const output = Promise.all([program.stderr, program.stdout].map(buffer)).then((parts) => parts.join(''));
  return { pid: program.pid, ended: Promise.all([hasPassed(program), output]) };
}

/** Gives the histories the priority of other programs, where the system lets us: as an administrator of Linux. */
function hurry(pid) {
  try {
    const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const worker of workers.match(/\d+/g) ?? []) setPriority(Number(worker), 0);
  } catch {
    // Beside busy programs, they take longer.
  }
}

async function run() {
  if (args.length > 0) return hasPassed(start(testsOf('node', 'app', 'browser', 'hostauth'), 'inherit'));
  const histories = startBeside([SIM, ...HISTORIES]);
  if (histories.pid !== undefined) setPriority(histories.pid, HISTORIES_PRIORITY);
  const [others, ...beside] = await Promise.all([
    hasPassed(start(testsOf('node', 'app'), 'inherit')),
    startBeside(testsOf('browser')).ended,
    startBeside(testsOf('hostauth')).ended,
  ]);
  hurry(histories.pid);
  const [passed, report] = await histories.ended;
  for (const [, output] of beside) process.stdout.write(output);
  // Of a simulation without a failure, only the number of its histories.
  process.stdout.write((passed && report.match(/.* virtual hours.*\n/)?.[0]) || report);
  return others && beside.every(([ended]) => ended) && passed;
}

process.exitCode = (await run()) ? 0 : 1;
