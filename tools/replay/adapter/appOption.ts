import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.ts';

/** The commander option of every command that replays frames of another app. */
export const APP = ['--app <adapter>', 'replays the frames of another app, with its adapter module'] as const;

/**
 * Refuses the options that are for Parley's own sessions.
 * @throws {UsageError} when the user gave one of them with `--app`.
 */
export function refuseParleyOptions(command: Command): void {
  if (command.getOptionValueSource('engine') === 'cli')
    throw new UsageError('--engine selects an engine of Parley; an adapter (--app) has one');
  if (command.getOptionValue('reportDir') !== undefined)
    throw new UsageError('--report-dir writes pages of the inspector, which shows sessions of Parley only');
}

/** The option `--app` of commands that show sessions of Parley only: it is refused with one line. */
export const NO_APP: Option = new Option('--app <adapter>').hideHelp().argParser((): never => {
  throw new UsageError(
    '--app: the inspector shows sessions of Parley only; run --until <update> --with state,display prints the state of another app after an update',
  );
});
