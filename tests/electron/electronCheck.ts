import { electronRuntime } from '../../src/start/electronHost.ts';
import { type CheckResult, runChecks } from './check.ts';
import { electronChecks } from './electronChecks.ts';
import { openElectron, openWebHost } from './openHosts.ts';
import { pageChecks } from './pageChecks.ts';

/**
 * `npm run electron:check`: checks the messenger inside Electron's runtime, with a data folder of its own, and prints a table. Without the
 * runtime, or with `PARLEY_HOST=web`, it checks the web host: then rows that only the runtime can prove are not run. Exit status 1 when a
 * check failed.
 */
const CHECKS = [...pageChecks, ...electronChecks];
const runtime = process.env.PARLEY_HOST === 'web' ? undefined : electronRuntime();

/** Opens the messenger and runs the checks; a messenger that does not open is a failed check. */
async function check(): Promise<CheckResult[]> {
  let host;
  try {
    host = runtime === undefined ? await openWebHost() : await openElectron(runtime, []);
  } catch (error) {
    const [detail = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const opened: CheckResult = { name: 'messenger opened', result: 'failed', detail };
    const others = CHECKS.map(({ name }): CheckResult => ({ name, result: 'not run', detail: '' }));
    return [opened, ...others];
  }
  try {
    return await runChecks(CHECKS, host);
  } finally {
    await host.close();
  }
}

const HEADER = { name: 'check', result: 'result', detail: 'detail' };

/** Returns a table of the results, below its title. */
function formatResults(title: string, results: readonly CheckResult[]): string {
  const rows = [HEADER, ...results];
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = ({ name, result, detail }: typeof HEADER) =>
    `${name.padEnd(width)}  ${result.padEnd('not run'.length)}  ${detail}`.trimEnd();
  return `${title}\n\n${rows.map((row) => `${line(row)}\n`).join('')}`;
}

const results = await check();
process.stdout.write(
  formatResults(runtime === undefined ? 'Parley in the web host' : 'Parley in Electron', results),
);
if (runtime === undefined)
  process.stdout.write(
    '\nElectron’s runtime was not used. To check it, run `npm ci && npx install-electron` in packaging/ on a machine with a display.\n',
  );
process.exit(results.some(({ result }) => result === 'failed') ? 1 : 0);
