import { Command } from 'commander';
import { compareCaptures } from '../compare/compareCaptures.ts';
import { findCaptures } from '../read/findCaptures.ts';
import type { CommandMaker } from '../base/command.ts';
import { type ComparisonOptions, runComparison, withComparisonOptions } from './runComparison.ts';

interface CompareOptions extends ComparisonOptions {
  readonly base: string;
}

/** `compare`: the same captures through the reducers of two revisions (contract §7). */
export const compareCommand: CommandMaker = (output, finish) =>
  withComparisonOptions(
    new Command('compare')
      .description('replays captures through the reducers of another git revision and through these')
      .argument('<captures...>', 'files, folders or globs')
      .requiredOption('--base <rev>', 'the revision that says what is expected'),
  ).action(async (given: readonly string[], options: CompareOptions) => {
    const { base } = options;
    const status = await runComparison(output, {
      ...options,
      label: 'comparing',
      advice: `“expected” is what ${base} comes to, “got” what this checkout does.`,
      find: () => findCaptures(given),
      hold: (captures, holding) => compareCaptures(captures, { base, ...holding }),
    });
    finish(status);
  });
