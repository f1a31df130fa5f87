/**
 * Runs the scenarios. Prints each result and a summary on stdout, writes the results as JSON to `soak/out/`, and shows
 * progress on stderr. Exit status: 0 when every assertion holds, 1 when one fails, 2 on bad usage, 130 or 143 when it is
 * interrupted.
 */
import { setMaxListeners } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { closeBrowser } from './harness/openPage.ts';
import { PROGRAMS, SOAK_OUT } from './harness/startMessenger.ts';
import { describeMachine, formatMarkdown, formatResult, formatSummary } from './run/report.ts';
import { runScenario } from './run/runScenario.ts';
import type { ScenarioResult } from './run/scenario.ts';
import { SCENARIOS } from './scenarios/scenarios.ts';

interface Options {
  readonly only: readonly string[];
  readonly short: boolean;
  readonly seed: number;
  readonly list: boolean;
  readonly markdown: boolean;
  readonly programs: string;
}

const names = SCENARIOS.map(({ name }) => name);

/** Parses the option `--seed`. */
function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('The seed is a number from 0 to 999999999.');
  return Number(text);
}

/** Parses the command line. Ends the process after the help (0), or after one line on stderr when an option is wrong (2). */
function parseOptions(): Options {
  return new Command('soak')
    .description('Applies faults and load to the built programs, and asserts that they behave.')
    .addOption(
      new Option('--only <name...>', 'run these scenarios only').choices(names).default(names, 'all'),
    )
    .option('--short', 'the short form of each scenario: seconds instead of minutes', false)
    .option('--seed <number>', 'the seed of everything random', parseSeed, 1)
    .option('--list', 'list the scenarios', false)
    .option('--markdown', 'print the last results as a Markdown table', false)
    .option('--programs <folder>', 'the folder of the built programs', PROGRAMS)
    .allowExcessArguments(false)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<Options>();
}

/** Returns a signal that SIGINT and SIGTERM abort, and a function that gives the exit status of the first of them. */
function watchSignals() {
  const controller = new AbortController();
  // Each scenario listens.
  setMaxListeners(0, controller.signal);
  const codes = { SIGINT: 130, SIGTERM: 143 } as const;
  let exitCode: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      exitCode ??= codes[signal];
      controller.abort();
    });
  }
  return { signal: controller.signal, exitCode: () => exitCode };
}

async function runAll({ only, short, seed, programs }: Options): Promise<number> {
  const { signal, exitCode } = watchSignals();
  await mkdir(SOAK_OUT, { recursive: true });
  const results: ScenarioResult[] = [];
  for (const scenario of SCENARIOS.filter(({ name }) => only.includes(name))) {
    if (signal.aborted) break;
    const result = await runScenario(scenario, {
      length: short ? 'short' : 'long',
      seed,
      programs: resolve(programs),
      signal,
      progress: (text) => void process.stderr.write(`${scenario.name}: ${text}\n`),
    });
    results.push(result);
    process.stdout.write(formatResult(result));
    await writeFile(
      resultFile(scenario.name),
      `${JSON.stringify({ ...result, machine: describeMachine() }, null, 2)}\n`,
    );
  }
  await closeBrowser();
  process.stdout.write(formatSummary(results));
  return exitCode() ?? (results.some(({ outcome }) => outcome === 'failed') ? 1 : 0);
}

const resultFile = (name: string) => join(SOAK_OUT, `${name}.json`);

/** Prints the last results as a Markdown table. */
async function printMarkdown({ only }: Options): Promise<void> {
  const kept = only.map(resultFile).filter((file) => existsSync(file));
  const texts = await Promise.all(kept.map((file) => readFile(file, 'utf8')));
  // This program wrote them.
  const results = texts.map(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    (text) => JSON.parse(text) as ScenarioResult & { machine: ReturnType<typeof describeMachine> },
  );
  process.stdout.write(formatMarkdown(results, results[0]?.machine ?? describeMachine()));
}

const options = parseOptions();
if (options.list) for (const { name, sentence } of SCENARIOS) process.stdout.write(`${name}: ${sentence}\n`);
else if (options.markdown) await printMarkdown(options);
else process.exit(await runAll(options));
