import { Command, InvalidArgumentError } from 'commander';
import { writeCorpus } from './writeCorpus.ts';

/**
 * Writes a corpus of generated captures with their goldens, and plants failures in it, to try `verify` with many captures:
 *
 *   npm run bench:corpus -- /tmp/corpus --captures 1000000
 *
 * Needs about 26 KB of disk for each capture. Exit status: 0, or 2 on bad usage.
 */

interface CorpusOptions {
  readonly captures: number;
  readonly sessions: number;
}

const progress = (text: string) => void process.stderr.write(`${text}\n`);

await new Command('bench:corpus')
  .description('Writes a corpus of generated captures with their goldens, and plants failures in it.')
  .argument('<folder>', 'a folder that does not exist yet')
  .option('--captures <n>', 'number of captures', oneOrMore, 1_000_000)
  .option('--sessions <n>', 'number of different sessions; the other captures are copies', oneOrMore, 20_000)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(async (folder: string, { captures, sessions }: CorpusOptions) => {
    await writeCorpus({ folder, captures, sessions: Math.min(sessions, captures), progress });
  })
  .parseAsync();

/** Parses a whole number from 1 on, for commander. */
function oneOrMore(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number greater than 0.');
}
