import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
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

const start = (...args: readonly string[]) => runProgram(join(PROGRAMS, 'soak/soak.js'), args);

test.each([[['--what']], [['--only', 'nothing']], [['--seed', 'x']], [['more']]])(
  'contract §1 npm run soak, bad usage: refuses %j in one line, with exit status 2',
  async (args) => {
    const stderr = expect.stringMatching(/^[^\n]+\n$/);
    expect(await start(...args).ended).toEqual({ code: 2, stdout: '', stderr });
  },
);

test('contract §1 npm run soak: stops everything at SIGINT, reports what it has and exits with 130', async () => {
  const { child, ended } = start('--short', '--only', 'flaps');
  child.stderr.on('data', (text: string) => void (text.includes('flap 2') && child.kill('SIGINT')));
  expect(await ended).toMatchObject({ code: 130, stdout: expect.stringContaining('flaps: interrupted') });
});
