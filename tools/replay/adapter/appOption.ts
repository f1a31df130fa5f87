import type { Command } from 'commander';
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
  if (command.getOptionValueSource('then') === 'cli')
    throw new UsageError('--then is for sessions of Parley; the session of another app (--app) has no end');
}
