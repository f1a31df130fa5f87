import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { pluralize } from '#shared/pluralize.ts';
import { APP } from '../adapter/appOption.ts';
import type { CommandMaker } from '../base/command.ts';
import { CAPTURES } from '../base/commandOptions.ts';
import { listenForInterruption } from '../base/interruption.ts';
import type { Output } from '../base/output.ts';
import { collectCoverage } from '../coverage/collectCoverage.ts';
import { copyCaptures, requireNewFolder } from '../coverage/copyCaptures.ts';
import { coveredCode } from '../coverage/coveredCode.ts';
import { type Candidate, distillCaptures } from '../coverage/distillCaptures.ts';
import { givenCaptures } from '../read/givenCaptures.ts';
import type { FoundCapture } from '../read/walkCaptures.ts';
import { describeEnd } from '../verify/reporters/reporter.ts';
import { type WorkerOptions, poolOptions, withWorkerOptions } from './comparison/comparisonOptions.ts';

interface DistillOptions extends WorkerOptions {
  readonly output?: string;
  readonly json?: true;
  readonly app?: string;
}

/** Creates the command `corpus`, with `corpus distill`, which keeps a smallest set of captures with the same coverage (contract §7). */
export const corpusCommand: CommandMaker = (output, finish) =>
  new Command('corpus')
    .description('works on sets of captures')
    .helpCommand(false)
    .addCommand(distillCommand(output, finish));

type Kept = Candidate & FoundCapture;

const distillCommand: CommandMaker = (output, finish) =>
  withWorkerOptions(
    new Command('distill')
      .description('keeps a smallest set of captures that reaches the same branches as all')
      .argument('[captures...]', CAPTURES)
      .option(...APP)
      .option('-o, --output <folder>', 'copies the captures and their goldens to a new folder')
      .option('--json', 'one JSON document on stdout'),
  ).action(async (given: readonly string[], options: DistillOptions) => {
    const { output: folder, json } = options;
    const found = givenCaptures({ given, ...options });
    if (folder !== undefined) await requireNewFolder(folder);
    const { captures, reached, ...end } = await coverAll(output, { ...options, found });
    const kept = distillCaptures(captures);
    // A set of a part of the captures is not the result, and neither is an empty one.
    const copied = end.interruptedBy === undefined && kept.length > 0 ? folder : undefined;
    if (copied !== undefined) await copyCaptures(kept, copied);
    const document = {
      interrupted: end.interruptedBy !== undefined,
      captures: captures.length,
      bytes: sum(captures),
      problems: end.problems,
      reached,
      kept: kept.map(({ path, bytes }) => ({ capture: path, bytes })),
      ...(copied !== undefined && { folder: copied }),
    };
    output.out(json ? `${JSON.stringify(document)}\n` : textOf(document, end.interruptedBy));
    finish(end.status);
  });

interface Covering extends DistillOptions {
  readonly found: AsyncIterable<FoundCapture>;
}

/** Replays all captures; returns them with their branches, and the number of branches that they reach together. */
async function coverAll(output: Output, { found, ...options }: Covering) {
  // A signal while an adapter is bundled counts too.
  const interruption = listenForInterruption();
  const { remove, ...code } = await coveredCode(options.app);
  const names = new Map<string, string>();
  const reached = new Set<number>();
  const covered: Pick<Kept, 'path' | 'reached'>[] = [];
  const end = await collectCoverage(output, {
    ...poolOptions(options),
    interruption,
    ...code,
    captures: pathsInto(names, found),
    onCovered(result) {
      covered.push({ path: result.capture, reached: new Set(result.reached) });
      for (const number of result.reached) reached.add(number);
    },
  }).finally(remove);
  const captures = await Promise.all(
    covered.map(async (one): Promise<Kept> => {
      const bytes = await sizeOf(one.path);
      return Object.assign(one, { name: names.get(one.path) ?? one.path, bytes });
    }),
  );
  return { ...end, captures, reached: reached.size };
}

/** Yields the paths of captures and keeps their names. */
async function* pathsInto(
  names: Map<string, string>,
  captures: AsyncIterable<FoundCapture>,
): AsyncGenerator<string, void> {
  for await (const { path, name } of captures) {
    names.set(path, name);
    yield path;
  }
}

/** Returns the size of a file; 0 for an object in a store, whose size does not matter here. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const sum = (captures: readonly Candidate[]): number => captures.reduce((all, { bytes }) => all + bytes, 0);

interface Distilled {
  readonly captures: number;
  readonly bytes: number;
  readonly reached: number;
  readonly kept: readonly { readonly capture: string; readonly bytes: number }[];
  readonly folder?: string;
}

function textOf(
  { captures, bytes, reached, kept, folder }: Distilled,
  interruptedBy: 'SIGINT' | 'SIGTERM' | undefined,
): string {
  const stopped = interruptedBy === undefined ? undefined : describeEnd(interruptedBy);
  const keptBytes = kept.reduce((all, one) => all + one.bytes, 0);
  const lines = [
    ...kept.map(({ capture }) => capture),
    '',
    ...(stopped === undefined ? [] : [stopped]),
    `${kept.length} of ${pluralize(captures, 'capture')} kept, ${keptBytes} of ${bytes} bytes: they reach the same ${reached} branches`,
    ...(folder === undefined ? [] : [`copied to ${folder}`]),
  ];
  return `${lines.join('\n')}\n`;
}
