import { runScenario } from '../run/runScenario.ts';
import type { Check, ScenarioResult } from '../run/scenario.ts';
import { SCENARIOS } from '../scenarios/scenarios.ts';
import { PROGRAMS } from '../harness/root.ts';
import type { Revert } from './revert.ts';
import { REVERTS } from './reverts.ts';
import { type ScratchTree, createScratchTree } from './createScratchTree.ts';

interface Options {
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Only the reverts whose scenario is one of these. */
  readonly only: readonly string[];
  readonly progress: (text: string) => void;
}

/** The result of one revert. */
interface RevertResult {
  readonly name: string;
  readonly scenario: string;
  /** `caught`: the scenario passes with the fix and fails without it. */
  readonly outcome: 'caught' | 'SURVIVED' | 'NOT RUN';
  /** The assertion that failed, or why the revert was not run. */
  readonly detail: string;
}

/** Takes each fix out, one at a time, in a copy of the tree, and expects the short form of its scenario to fail. */
export async function runReverts(options: Options): Promise<readonly RevertResult[]> {
  const { only, signal, progress } = options;
  const selected = REVERTS.filter(({ scenario }) => only.includes(scenario));
  const run = createScenarioRunner(options);
  const tree = createScratchTree();
  const results: RevertResult[] = [];
  try {
    for (const revert of selected) {
      progress(`${results.length + 1} of ${selected.length}: ${revert.name}`);
      const tried = await tryRevert(revert, { tree, run });
      if (signal.aborted) break;
      results.push({ name: revert.name, scenario: revert.scenario, ...tried });
      progress(`${tried.outcome}: ${tried.detail}`);
    }
  } finally {
    tree.remove();
  }
  return results;
}

type RunScenario = (name: string, programs: string) => Promise<ScenarioResult | undefined>;

/** Returns a function that runs a scenario. A scenario runs once only on the programs with all fixes. */
function createScenarioRunner({ seed, signal }: Options): RunScenario {
  const known = new Map<string, Promise<ScenarioResult>>();
  return async (name, programs) => {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (scenario === undefined) return undefined;
    const start = () =>
      runScenario(scenario, { length: 'short', seed, programs, signal, progress: () => {} });
    if (programs !== PROGRAMS) return start();
    const result = known.get(name) ?? start();
    known.set(name, result);
    return result;
  };
}

interface Tools {
  readonly tree: ScratchTree;
  readonly run: RunScenario;
}

type RevertOutcome = Pick<RevertResult, 'outcome' | 'detail'>;

async function tryRevert(
  { scenario, assertion = '', edits }: Revert,
  { tree, run }: Tools,
): Promise<RevertOutcome> {
  const isExpected = ({ name, passed }: Check) => !passed && name.includes(assertion);
  const fixed = await run(scenario, PROGRAMS);
  if (fixed === undefined) return notRun(`there is no scenario ${scenario}`);
  if (fixed.outcome === 'skipped' || fixed.outcome === 'interrupted') return notRun(fixed.outcome);
  const already = fixed.checks.find(isExpected);
  if (already !== undefined) return notRun(`the scenario fails with the fix: ${already.name}`);

  const problem = tree.build(edits);
  if (problem !== undefined) return notRun(problem);
  const failed = (await run(scenario, tree.programs))?.checks.find(isExpected);
  if (failed === undefined) return { outcome: 'SURVIVED', detail: 'the scenario passes without the fix' };
  return { outcome: 'caught', detail: failed.name };
}

const notRun = (detail: string): RevertOutcome => ({ outcome: 'NOT RUN', detail });

/** Formats the results as a table for a terminal. */
export function formatReverts(results: readonly RevertResult[]): string {
  const [name, scenario] = [
    longest(results.map((one) => one.name)),
    longest(results.map((one) => one.scenario)),
  ];
  const rows = results.map((one) =>
    [one.outcome.padEnd(8), one.scenario.padEnd(scenario), one.name.padEnd(name), one.detail].join('  '),
  );
  return [...rows, ''].join('\n');
}

const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length));
