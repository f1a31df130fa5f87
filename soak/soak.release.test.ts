import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { closeBrowser } from './harness/openPage.ts';
import { PROGRAMS } from './harness/startMessenger.ts';
import { runScenario } from './run/runScenario.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';

afterAll(closeBrowser);

test.each(SCENARIOS)('the short form of the scenario $name holds its assertions', async (scenario) => {
  const { signal } = new AbortController();
  const options = { length: 'short', seed: 1, programs: PROGRAMS, signal, progress: () => {} } as const;
  const { checks } = await runScenario(scenario, options);
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});

const start = (...args: readonly string[]) =>
  spawn(process.execPath, [join(PROGRAMS, 'soak/soak.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

test.each([[['--what']], [['--only', 'nothing']], [['--seed', 'x']], [['more']]])(
  'contract §1 npm run soak, bad usage: refuses %j in one line, with exit status 2',
  async (args) => {
    const child = start(...args);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect({ code: child.exitCode, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
  },
);

test('contract §1 npm run soak: stops everything at SIGINT, reports what it has and exits with 130', async () => {
  const child = start('--short', '--only', 'flaps');
  const stdout = text(child.stdout);
  let progress = '';
  for await (const data of child.stderr) {
    progress += String(data);
    if (progress.includes('flap 2')) child.kill('SIGINT');
  }
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(130);
  expect(await stdout).toContain('flaps: interrupted');
});
