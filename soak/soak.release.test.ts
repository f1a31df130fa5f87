import { afterAll, expect, test } from 'vitest';
import { closeBrowser } from './harness/openPage.ts';
import { PROGRAMS } from './harness/startMessenger.ts';
import { runScenario } from './run/runScenario.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';

afterAll(closeBrowser);

test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  'the short form of the soak scenario "%s" holds all its assertions',
  async (_, scenario) => {
    const { checks } = await runScenario(scenario, {
      length: 'short',
      seed: 1,
      programs: PROGRAMS,
      signal: new AbortController().signal,
      progress: () => {},
    });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  },
);
