import { type Command, Option } from 'commander';
import { wholeNumber } from '../base/commandOptions.ts';
import type { Start } from '../inspector/protocol/start.ts';

/** The options of a command about where the inspector opens. */
export interface StartOptions {
  readonly step?: number;
  readonly update?: number;
}

/** Adds {@link StartOptions} to a command. */
export const withStartOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--step <n>', 'the step at which it opens (default: before the first step)')
        .argParser(wholeNumber('--step'))
        .conflicts('update'),
    )
    .addOption(
      new Option('--update <n>', 'the update at whose step it opens, as `verify` names it').argParser(
        wholeNumber('--update', 1),
      ),
    );

/** Returns where the inspector opens. */
export function startOf({ step, update }: StartOptions): Start | undefined {
  if (update !== undefined) return { update };
  return step === undefined ? undefined : { step };
}
