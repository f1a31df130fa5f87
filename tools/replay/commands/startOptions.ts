import { type Command, Option } from '@commander-js/extra-typings';
import { milliseconds, wholeNumber } from '../base/commandOptions.ts';
import type { Start } from '../inspector/protocol/protocol.ts';

/** Adds the options about where the inspector opens. */
export const withStartOptions = (command: Command) =>
  command
    .addOption(
      new Option('--step <n>', 'the step at which it opens (default: before the first step)')
        .argParser(wholeNumber('--step'))
        .conflicts(['update', 'at']),
    )
    .addOption(
      new Option('--update <n>', 'the update at whose step it opens, as `verify` names it')
        .argParser(wholeNumber('--update', 1))
        .conflicts('at'),
    )
    .addOption(
      new Option(
        '--at <ms>',
        'opens at the last step at or before this time, in milliseconds since the start of the recording',
      ).argParser(milliseconds('--at')),
    );

/** Returns where the inspector opens. */
export function startOf({
  step,
  update,
  at,
}: ReturnType<ReturnType<typeof withStartOptions>['opts']>): Start | undefined {
  if (update !== undefined) return { update };
  if (at !== undefined) return { t: at };
  return step === undefined ? undefined : { step };
}
