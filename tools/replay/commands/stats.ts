import { Command } from 'commander';
import { APP } from '../adapter/appOption.ts';
import { adapterOf } from '../adapter/bundleAdapter.ts';
import { adapterError } from '../adapter/loadAdapter.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { oneCapture } from '../read/oneCapture.ts';
import { readCapture } from '../read/readCapture.ts';
import { captureName } from '../read/stdin.ts';
import { EXIT } from '../base/errors.ts';
import { fileProgress } from '../base/fileProgress.ts';
import type { Output } from '../base/output.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import type { CommandMaker } from '../base/command.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { collectStats } from '../stats/collectStats.ts';
import { statsReport } from '../stats/statsReport.ts';
import { ONE_CAPTURE, wholeNumber } from '../base/commandOptions.ts';

interface StatsOptions {
  readonly over: number;
  readonly app?: string;
  readonly json?: true;
}

const COLUMNS = 80;

/** Creates the command `stats`, which shows counts, rates and the queue's depth over time (contract §7). */
export const statsCommand: CommandMaker = (output, finish) =>
  new Command('stats')
    .description('shows counts, rates and the queue’s depth over time')
    .argument('<capture>', ONE_CAPTURE)
    .option(
      '--over <updates>',
      'counts the time during which more updates than this waited',
      wholeNumber('--over'),
      10,
    )
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (given: string, options: StatsOptions) => {
      const capture = await oneCapture(given);
      const adapter = options.app === undefined ? undefined : await adapterOf(options.app);
      const document = await leaveSignalsToSystem(() => statsOf(capture, { ...options, adapter }, output));
      output.out(
        options.json ? `${JSON.stringify(document)}\n` : statsReport(document, output.columns ?? COLUMNS),
      );
      finish(EXIT.fine);
    });

interface Collected extends StatsOptions {
  readonly adapter: AppAdapter | undefined;
}

async function statsOf(capture: string, { over, app, adapter }: Collected, output: Output) {
  const progress = await fileProgress(output, capture);
  try {
    const { header, records, warnings } = await readCapture(capture, progress);
    const stats = collectStats({ over, adapter });
    for await (const batch of records()) {
      if (!batch.every(stats.take)) break;
    }
    printWarnings(output, warnings);
    const { startedAt, app: recorder, version } = header;
    return { capture: captureName(capture), startedAt, app: recorder, version, ...stats.finish() };
  } catch (error) {
    throw app === undefined ? error : adapterError(app, error);
  } finally {
    progress.end();
  }
}
