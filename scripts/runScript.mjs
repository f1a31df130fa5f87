import { parseArgs } from 'node:util';

/**
 * Runs a script that takes at most one argument, its options and `--help`. Ends the process with the script's exit status, or with 2
 * and one line on stderr.
 *
 * @param {string} usage one line
 * @param {(argument: string | undefined, options: object) => number} script
 * @param {import('node:util').ParseArgsConfig['options']} options
 */
export function runScript(usage, script, options = {}) {
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (values.help) process.stdout.write(`Usage: ${usage}\n`);
    else if (positionals.length > 1) throw new Error(`too many arguments; usage: ${usage}`);
    else process.exitCode = script(positionals[0], values);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
