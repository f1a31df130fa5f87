import { parseArgs } from 'node:util';

/**
 * Runs a script that takes at most one argument, its options and `--help`, if it is the program of this process: tests import scripts.
 * Writes the script's output on stdout and one line for each fault on stderr. The exit status is 0 without faults, 1 with some, and 2
 * with one line on stderr when the script throws.
 *
 * @param {ImportMeta} meta the script's `import.meta`
 * @param {{
 *   usage: string,
 *   script: (argument: any, options: any) => { output?: string, faults?: readonly string[] },
 *   options?: import('node:util').ParseArgsConfig['options'],
 * }} parts `usage`: one line
 */
export function runScript(meta, { usage, script, options = {} }) {
  if (process.argv[1] !== meta.filename) return;
  try {
    const { values, positionals } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (values.help) process.stdout.write(`Usage: ${usage}\n`);
    else if (positionals.length > 1) throw new Error(`too many arguments; usage: ${usage}`);
    else {
      const { output = '', faults = [] } = script(positionals[0], values);
      process.stdout.write(output);
      for (const fault of faults) process.stderr.write(`${fault}\n`);
      process.exitCode = faults.length === 0 ? 0 : 1;
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
