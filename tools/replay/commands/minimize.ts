import type { OwnApp } from '../engine/sessionAdapter.ts';
import { Command, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { quoteForShell } from '#node/fileErrorReason.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { compareCaptures } from '../compare/compareCaptures.ts';
import { candidateText, minimizeCapture, ownCheck, runCheck } from './minimizeCapture.ts';
import { verifyCaptures } from '../verify/verifyCaptures.ts';
import { systemClock } from '#shared/clock.ts';
import { loadCapture } from '../read/readCapture.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { FORCE, openResult, refuseSameFile, replayHint } from '../base/openResult.ts';
import { STDIN } from '../read/stdin.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { captureField, field, jsonDocument, jsonLine, outputField } from '../base/jsonDocument.ts';
import { createProgress } from '../base/progress.ts';
import { ONE_CAPTURE, oneOf } from '../base/commandOptions.ts';
import { printWarnings } from '../base/output.ts';
import { pluralize } from '#shared/formatText.ts';
import { listenForInterruption } from '../base/interruption.ts';

const declare = () =>
  new Command('minimize')
    .option(
      '--check <command>',
      'a shell command; it gets the path of the candidate as its last argument and in $PARLEY_CAPTURE_FILE, and fails when its exit status is not 0',
    )
    .addOption(
      new Option(
        '--fails <command>',
        'verify (it throws, or mutates a state) or compare (it differs from --base): the candidate fails with the same outcome and signature as the capture',
      )
        .argParser(oneOf('--fails', ['verify', 'compare']))
        .conflicts('check'),
    )
    .option('--base <rev>', 'with --fails compare: the git revision with which it is compared')
    .option(...APP)
    .description(
      'finds the shortest capture on which a command still fails; a signal keeps the best result so far',
    )
    .argument('<capture>', ONE_CAPTURE)
    .option(
      '-o, --output <file>',
      'the result, gzipped if it ends in .gz; - is stdout (default: x.min.parley.jsonl beside the capture)',
    )
    .option(...FORCE)
    .option('--json', 'one JSON document on stdout');

const minimizeSchema = jsonDocument('minimize', 'the shortest capture on which a command fails', {
  capture: captureField,
  output: outputField,
  records: z.object({
    before: field.number('the number of records of the capture'),
    after: field.number('the number of records of the result'),
  }),
  checks: field.number('how often the check ran'),
  minimal: field.flag('whether each record of the result is needed; `false` after a signal'),
});

type Options = ReturnType<ReturnType<typeof declare>['opts']>;

/** Creates the command `minimize`, which finds the shortest capture on which a command still fails (contract §7). */
export const minimizeCommand: CommandMaker = ({ output, finish, own }) =>
  declare().action(async (given, options, command) => {
    const path = await oneCapture(given);
    const { output: target = defaultOutput(path), force, json } = options;
    const option = optionOf(options, command.getOptionValueSource('app') === 'cli');
    await refuseSameFile(path, target);
    const result = await openResult({ path: target, force, json }, output);
    const capture = await loadCapture(path);
    printWarnings(output, capture.warnings);
    const { signal, statusOr } = listenForInterruption();
    const progress = createProgress(output, systemClock(globalThis), 'minimizing');
    const { length: before } = capture.records;
    const onCheck = (left: number, count: number) =>
      progress.show(`${pluralize(left, 'record')} of ${before} left, ${pluralize(count, 'check')}`);
    const { check, end } = createCheck(options, own, signal);
    const searching = minimizeCapture({ capture, option, signal, onCheck, check });
    await Promise.allSettled([searching]);
    progress.end();
    await end();
    const { records, checks, isMinimal: minimal } = await searching;
    await result.write(candidateText(capture, records));
    const { name } = result;
    const counts = { before, after: records.length };
    const document = { capture: capture.path, output: name, records: counts, checks, minimal };
    const how = minimal ? 'each is needed' : 'stopped early, so a shorter result may exist';
    const summary =
      `${name}: ${pluralize(records.length, 'record')} of ${before}, after ${pluralize(checks, 'check')}; ${how}\n` +
      replayHint(name, replayOptions(options));
    result.print(json ? jsonLine(minimizeSchema, document) : summary);
    finish(statusOr(EXIT.fine));
  });

function defaultOutput(path: string): string {
  if (path === STDIN) throw new UsageError('- (stdin) has no file beside it; name the result with -o');
  return `${path.replace(/\.(?:gz|zip)$/, '').replace(/(?:\.parley\.jsonl|\.har)$/i, '')}.min.parley.jsonl`;
}

/**
 * Returns the option that selects the check.
 * @throws {UsageError} when there is none, or options contradict each other.
 */
function optionOf({ check, fails, base }: Options, isAppNamed: boolean): string {
  if (check === undefined && fails === undefined)
    throw new UsageError(
      'name the check: --check <command>, --fails verify, or --fails compare --base <rev>',
    );
  if ((fails === 'compare') !== (base !== undefined))
    throw new UsageError('--fails compare and --base <rev> belong together');
  if (fails === undefined && isAppNamed)
    throw new UsageError('--app is for --fails; with --check, put it into the command');
  return fails === undefined ? '--check' : `--fails ${fails}`;
}

/** Creates the check: a command of the shell, or `verify` or `compare` in one worker for all candidates. */
function createCheck({ check: command, fails, base, app }: Options, own: OwnApp, signal: AbortSignal) {
  if (command !== undefined)
    return { check: (path: string) => runCheck(command, path, signal), end: async () => undefined };
  const options = { workers: 1, signal, own, adapter: app };
  return ownCheck((captures) =>
    fails === 'compare' && base !== undefined
      ? compareCaptures(captures, { ...options, base })
      : verifyCaptures(captures, { ...options, isAlone: true }),
  );
}

/** Returns the options of `run` that show the result, when the check replays with the adapter of another app. A script may do so too. */
function replayOptions({ check = '', app: given }: Options): string {
  const [app] = /--app[= ]+(?:'[^']*'|"[^"]*"|[^\s'"]+)/.exec(check) ?? [];
  const used = given === undefined ? app : `--app ${quoteForShell(given)}`;
  return used === undefined ? '' : ` ${used} --with state,display`;
}
