import { Command } from 'commander';
import type { CommandMaker } from '../base/command.ts';
import { UsageError } from '../base/errors.ts';
import { listenForInterruption } from '../base/interruption.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { STDIN, captureName, requireOneStdin } from '../read/stdin.ts';
import { readResults } from '../verify/resultsFile.ts';
import { shardCoverage } from '../verify/shardCoverage.ts';
import { type ReportingOptions, withReportingOptions } from './comparison/comparisonOptions.ts';
import { type CollectorOptions, collectResults } from './comparison/resultCollector.ts';

/**
 * Creates the command `verify merge`, which makes one report of several: of shards, and of runs that were interrupted and resumed
 * (contract §7).
 */
export const mergeCommand: CommandMaker = (output, finish) =>
  withReportingOptions(
    new Command('merge')
      .description('makes one report of several; exits with 2 when a shard is missing or incomplete')
      .argument('<ndjson...>', 'reports of --reporter ndjson; - is stdin'),
  ).action(async (files: readonly string[], options: ReportingOptions) => {
    requireOneStdin([...files, options.known]);
    const { signal, received, statusOr } = listenForInterruption();
    const advice = 'Verify one of the named captures alone to see its values.';
    const collector = await collectResults(output, {
      ...options,
      command: 'merge',
      label: 'merging',
      isMerge: true,
      advice,
      ...(await replayedBy(files[0])),
    });
    const coverage = shardCoverage();
    const done = new Set<string>();
    // The newest result of a capture counts: later files come first.
    for (const file of files.toReversed()) {
      let count = 0;
      for await (const line of untilAborted(readResults(file), signal)) {
        if (signal.aborted) break;
        count++;
        if (line.type === 'header') coverage.begin(line.header);
        else if (line.type === 'end') coverage.end(line.end, line.captures);
        else {
          coverage.add();
          if (done.has(line.record.capture)) continue;
          done.add(line.record.capture);
          await collector.add(line.record);
        }
      }
      if (count === 0 && !signal.aborted) throw new UsageError(`${captureName(file)}: is empty`);
    }
    const problems = signal.aborted ? [] : coverage.problems();
    // A report of a part is no success.
    const status = await collector.end(received() ?? (problems.length > 0 ? 'error' : 'complete'));
    if (problems.length > 0) throw new UsageError(problems.join('; '));
    finish(statusOr(status));
  });

/** Returns the adapter and the expected revision of a report. Those of stdin are not known before it is read. */
async function replayedBy(file: string = STDIN): Promise<Pick<CollectorOptions, 'app' | 'base'>> {
  if (file === STDIN) return {};
  for await (const line of readResults(file)) {
    const { app, base } = line.type === 'header' ? line.header : {};
    return { app, base };
  }
  return {};
}
