import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { version } from '../../package.json';
import { fileErrorReason, isDiskFull } from '#node/fileErrorReason.ts';
import { errorLine } from '#shared/formatText.ts';
// In the order of docs/json.md.
import { runCommand } from './commands/run.ts';
import { diffCommand } from './commands/diff.ts';
import { statsCommand } from './commands/stats.ts';
import { findCommand } from './commands/find.ts';
import { stateCommand } from './commands/state.ts';
import { whyCommand } from './commands/why.ts';
import { verifyCommand } from './commands/verify.ts';
import { compareCommand } from './commands/compare.ts';
import { coverageCommand } from './commands/coverage.ts';
import { indexCommand } from './commands/indexCorpus.ts';
import { corpusCommand } from './commands/corpus.ts';
import { minimizeCommand } from './commands/minimize.ts';
import { redactCommand } from './commands/redact.ts';
import { reportCommand } from './commands/report.ts';
import { importCommand } from './commands/import.ts';
import { exportCommand } from './commands/export.ts';
import { openCommand } from './commands/open.ts';
import { recordCommand } from './commands/record.ts';
import { serveCommand } from './commands/serve.ts';
import { bisectCommand } from './commands/bisect.ts';
import { initCommand } from './commands/init.ts';
import type { CommandMaker } from './adapter/loadAdapter.ts';
import type { ToolApp } from './adapter/toolApp.ts';
import { CaptureError } from './read/captureDecoder.ts';
import { EXIT, type ExitStatus, UsageError } from './base/errors.ts';
import type { Output } from './base/output.ts';

export { JSON_DOCUMENTS } from './base/jsonDocument.ts';

const COMMANDS: readonly CommandMaker[] = [
  runCommand,
  openCommand,
  reportCommand,
  recordCommand,
  serveCommand,
  importCommand,
  exportCommand,
  verifyCommand,
  indexCommand,
  compareCommand,
  bisectCommand,
  coverageCommand,
  corpusCommand,
  diffCommand,
  whyCommand,
  redactCommand,
  statsCommand,
  findCommand,
  stateCommand,
  minimizeCommand,
];

/** The adapter of the app in the working folder, which the installed package uses by default. */
const ADAPTERS = ['ts', 'mts', 'js', 'mjs'].map((extension) => `replay.adapter.${extension}`);

const QUIET = ['-q, --quiet', 'prints no warnings, progress and notices: only results and errors'] as const;

/**
 * Runs the replay tool (contract §7) with the arguments after its name. Resolves to the exit status.
 * @param own the app that is replayed without `--app`.
 */
export async function replayTool(args: readonly string[], output: Output, own: ToolApp): Promise<ExitStatus> {
  let status: ExitStatus = EXIT.fine;
  const quiet = { writeOut: output.out, writeErr: () => {} };
  let isQuiet = false;
  const commandOutput = { ...output, err: (text: string) => (isQuiet ? undefined : output.err(text)) };
  const program = new Command('parley-replay')
    .description('Replays captured sessions through the app’s own decoder, queue and reducers.')
    .version(version, '--version', 'prints the version')
    .option(...QUIET)
    .hook('preAction', (_program, command) => {
      isQuiet = command.optsWithGlobals()['quiet'] === true;
      const needsApp =
        command.options.some(({ long }) => long === '--app') && command.opts()['app'] === undefined;
      if (own.findsAdapter && needsApp) command.setOptionValueWithSource('app', findAdapter(), 'config');
    })
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput(quiet);
  for (const make of own.findsAdapter ? [initCommand, ...COMMANDS] : COMMANDS) {
    const command = make({ output: commandOutput, finish: (result) => (status = result), own });
    for (const one of [command, ...command.commands])
      one
        .option(...QUIET)
        .exitOverride()
        .configureOutput(quiet);
    program.addCommand(command);
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    return statusOf(error, output);
  }
}

/** Returns the adapter of the app in the working folder. @throws {UsageError} when there is none. */
function findAdapter(): string {
  const found = ADAPTERS.find((name) => existsSync(name));
  if (found !== undefined) return found;
  throw new UsageError(
    `no app to replay: name its adapter with --app, or run \`parley-replay init\`, which writes replay.adapter.ts`,
  );
}

/** Returns what is wrong with the temporary folder when an error is about a file in it. */
function temporaryFileProblem(error: unknown): string | undefined {
  const { path = '' } = Object(error);
  return isDiskFull(error) || (error instanceof Error && String(path).startsWith(tmpdir()))
    ? `temporary files cannot be written in ${tmpdir()}: ${fileErrorReason(error)}; name another folder in TMPDIR`
    : undefined;
}

/** Prints one line for bad usage or input. Help and the version are successes; any other error is a bug and is thrown. */
function statusOf(error: unknown, output: Output): ExitStatus {
  if (error instanceof CommanderError && error.exitCode === EXIT.fine) return EXIT.fine;
  const problem = problemOf(error);
  if (problem === undefined) throw error;
  output.err(errorLine(problem));
  return EXIT.unusable;
}

/** Returns in words what is wrong with the usage, the input or the machine; `undefined` for any other error. */
function problemOf(error: unknown): string | undefined {
  // A frame is nested too deep for the stack, or does not fit into memory.
  if (error instanceof RangeError)
    return `the capture is too deep or too large to be replayed (${error.message})`;
  const ofFolder = temporaryFileProblem(error);
  if (ofFolder !== undefined) return ofFolder;
  if (error instanceof CaptureError || error instanceof UsageError) return error.message;
  if (!(error instanceof CommanderError)) return undefined;
  if (error.code.startsWith('commander.help')) return 'name a command; parley-replay --help lists them';
  const isUnknown = error.code === 'commander.unknownCommand';
  return `${error.message}${isUnknown ? '; parley-replay --help lists the commands' : ''}`;
}
