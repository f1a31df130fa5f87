import { resolve } from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { conformanceCommand } from '../conformanceCommand.ts';
import { runProgram } from '../../testing/program.ts';
import { testPlatform } from '../../testing/testPlatform.ts';

/** The example of a platform, which is right. */
export const EXAMPLE = resolve(import.meta.dirname, '../../../examples/platform/platform.mjs');

/** Starts the example; resolves with its address. */
export async function startExample(): Promise<string> {
  return (await runProgram(EXAMPLE, ['0']).firstLine).slice('The platform is ready at '.length);
}

/** Runs the command as the program does. */
export async function runCommand(
  argv: readonly string[],
  changed: Partial<Parameters<typeof conformanceCommand>[1]> = {},
) {
  const written = { out: '', err: '' };
  const status = await conformanceCommand(argv, {
    out: (words) => void (written.out += words),
    err: (words) => void (written.err += words),
    isOutColored: false,
    isErrTerminal: false,
    clock: systemClock(globalThis),
    signal: new AbortController().signal,
    ...changed,
  });
  return { status, ...written };
}

/** Starts the built-in platform with a real clock; stops it with the test. */
export const startBuiltIn = async (options: Parameters<typeof testPlatform>[1] = {}) =>
  (await testPlatform(undefined, { clock: systemClock(globalThis), ...options })).apiUrl;
