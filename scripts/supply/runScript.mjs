import { parseArgs } from 'node:util';

/**
 * Runs a script that takes at most one argument and `--help`. Ends the process with the script's exit status, or with 2
 * and one line on stderr.
 *
 * @param {string} usage one line
 * @param {(argument?: string) => number} script
 */
export function runScript(usage, script) {
  try {
    const { values, positionals } = parseArgs({
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (values.help) process.stdout.write(`Usage: ${usage}\n`);
    else if (positionals.length > 1) throw new Error(`too many arguments; usage: ${usage}`);
    else process.exitCode = script(positionals[0]);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
