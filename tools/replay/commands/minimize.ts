import { Command } from 'commander';
import { systemClock } from '#shared/time/systemClock.ts';
import { loadCapture } from '../read/loadCapture.ts';
import { oneCapture } from '../read/oneCapture.ts';
import { isSameFile } from '../base/isSameFile.ts';
import { STDIN } from '../read/stdin.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { type Minimized, candidateText, minimizeCapture } from '../minimize/minimizeCapture.ts';
import { createProgress } from '../base/progress.ts';
import type { CommandMaker } from '../base/command.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { ONE_CAPTURE } from '../base/commandOptions.ts';
import { FORCE, openResult, replayHint } from '../base/openResult.ts';
import { pluralize } from '#shared/pluralize.ts';
import { listenForInterruption } from '../base/interruption.ts';

interface MinimizeOptions {
  readonly check: string;
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

/** Creates the command `minimize`, which finds the shortest capture on which a command still fails (contract §7). */
export const minimizeCommand: CommandMaker = (output, finish) =>
  new Command('minimize')
    .description(
      'finds the shortest capture on which a command still fails; a signal keeps the best result so far',
    )
    .argument('<capture>', ONE_CAPTURE)
    .requiredOption(
      '--check <command>',
      'a shell command; it gets the path of the candidate as its last argument and in $PARLEY_CAPTURE_FILE, and fails when its exit status is not 0',
    )
    .option(
      '-o, --output <file>',
      'the result, gzipped if it ends in .gz; - is stdout (default: x.min.parley.jsonl beside the capture)',
    )
    .option(...FORCE)
    .option('--json', 'one JSON document on stdout')
    .action(async (given: string, options: MinimizeOptions) => {
      const path = await oneCapture(given);
      const { check: command, output: target = defaultOutput(path), force, json } = options;
      if (await isSameFile(path, target))
        throw new UsageError(`${target}: is the capture itself; name another file with -o`);
      const result = await openResult({ path: target, force, json }, output);
      const capture = await loadCapture(path);
      printWarnings(output, capture.warnings);
      const { signal, statusOr } = listenForInterruption();
      const progress = createProgress(output, systemClock(globalThis), 'minimizing');
      const onCheck = (records: number, checks: number) =>
        progress.show(
          `${pluralize(records, 'record')} of ${capture.records.length} left, ${pluralize(checks, 'check')}`,
        );
      const found = await minimizeCapture({ capture, command, signal, onCheck }).finally(progress.end);
      await result.write(asyncOf(candidateText(capture, found.records)));
      const document = documentOf({
        capture: capture.path,
        output: result.name,
        before: capture.records.length,
        found,
      });
      result.print(json ? `${JSON.stringify(document)}\n` : summarize(document, command));
      finish(statusOr(EXIT.fine));
    });

function defaultOutput(path: string): string {
  if (path === STDIN) throw new UsageError('- (stdin) has no file beside it; name the result with -o');
  return `${path.replace(/\.(?:gz|zip)$/, '').replace(/(?:\.parley\.jsonl|\.har)$/i, '')}.min.parley.jsonl`;
}

async function* asyncOf(pieces: Iterable<string>): AsyncGenerator<string, void> {
  yield* pieces;
}

interface Done {
  readonly capture: string;
  readonly output: string;
  readonly before: number;
  readonly found: Minimized;
}

const documentOf = ({ capture, output, before, found: { records, checks, isMinimal } }: Done) => ({
  capture,
  output,
  records: { before, after: records.length },
  checks,
  minimal: isMinimal,
});

function summarize(
  { output, records, checks, minimal }: ReturnType<typeof documentOf>,
  command: string,
): string {
  const how = minimal ? 'each is needed' : 'stopped early, so a shorter result may exist';
  return (
    `${output}: ${pluralize(records.after, 'record')} of ${records.before}, after ${pluralize(checks, 'check')}; ${how}\n` +
    replayHint(output, replayOptions(command))
  );
}

/** Returns the options of `run` that show the result, when the check replays with the adapter of another app. A script may do so too. */
function replayOptions(command: string): string {
  const [app] = /--app[= ]+(?:'[^']*'|"[^"]*"|[^\s'"]+)/.exec(command) ?? [];
  return app === undefined ? '' : ` ${app} --with state,display`;
}
