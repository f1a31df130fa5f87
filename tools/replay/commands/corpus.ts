import { copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { pluralize } from '#shared/formatText.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { CAPTURES } from '../base/commandOptions.ts';
import { UsageError } from '../base/errors.ts';
import { captureField, field, jsonDocument, jsonLine, optional } from '../base/jsonDocument.ts';
import { writeErrorReason } from '../base/openResult.ts';
import { collectCoverage } from '../coverage/collectCoverage.ts';
import { coveringFields } from '../coverage/coverageDocument.ts';
import { goldenPath } from '../golden/goldenFile.ts';
import { givenCaptures } from '../read/findCaptures.ts';
import { isS3Url } from '../read/s3.ts';
import { capturesBefore } from '../engine/continuedEngine.ts';
import { describeEnd } from '../verify/resultsFile.ts';
import { poolOptions, withWorkerOptions } from './comparisonOptions.ts';

/** Creates the command `corpus`, with `corpus distill`, which keeps a small set of captures with the same coverage (contract §7). */
export const corpusCommand: CommandMaker = (context) =>
  new Command('corpus')
    .description('works on sets of captures')
    .helpCommand(false)
    .addCommand(distillCommand(context));

const distillSchema = jsonDocument('corpus distill', 'a small set of captures with the same coverage', {
  interrupted: coveringFields.interrupted,
  captures: coveringFields.captures,
  bytes: field.number('the size of their files'),
  problems: coveringFields.problems,
  reached: field.number('the number of branches that the captures reach'),
  kept: field.list('the captures that reach the same branches as all', {
    capture: captureField,
    bytes: field.number('the size of its file'),
  }),
  folder: optional.text('the new folder to which they were copied'),
});

const distillCommand: CommandMaker = ({ output, finish }) =>
  withWorkerOptions(
    new Command('distill')
      .description('keeps a small set of captures that reaches the same branches as all')
      .argument('[captures...]', CAPTURES)
      .option(...APP)
      .option('-o, --output <folder>', 'copies the captures and their goldens to a new folder')
      .option('--json', 'one JSON document on stdout'),
  ).action(async (given, options) => {
    const { output: folder, json } = options;
    const found = givenCaptures({ given, ...options });
    if (folder !== undefined) await requireNewFolder(folder);
    const names = new Map<string, string>();
    const captures: Candidate[] = [];
    const paths = async function* () {
      for await (const { path, name } of found) {
        names.set(path, name);
        yield path;
      }
    };
    const { status, problems, interruptedBy } = await collectCoverage(output, {
      ...poolOptions(options),
      adapter: options.app,
      captures: paths(),
      onCovered: (path, reached) => captures.push({ path, bytes: 0, reached }),
    });
    // An object in a store has no size here: it does not matter.
    for (const one of captures) one.bytes = (await stat(one.path).catch(() => undefined))?.size ?? 0;
    const kept = greedyCover(captures);
    // A set of a part of the captures is not the result, and neither is an empty one.
    const copied = interruptedBy === undefined && kept.length > 0 ? folder : undefined;
    if (copied !== undefined)
      await copyCaptures(new Map(kept.map(({ path }) => [path, names.get(path) ?? path])), copied);
    const document = {
      interrupted: interruptedBy !== undefined,
      captures: captures.length,
      bytes: sizeOf(captures),
      problems,
      reached: new Set(captures.flatMap(({ reached }) => reached)).size,
      kept: kept.map(({ path, bytes }) => ({ capture: path, bytes })),
      ...(copied !== undefined && { folder: copied }),
    };
    const lines = [
      ...kept.map(({ path }) => path),
      '',
      ...(interruptedBy === undefined ? [] : [describeEnd(interruptedBy)]),
      `${kept.length} of ${pluralize(captures.length, 'capture')} kept, ${sizeOf(kept)} of ${document.bytes} bytes: they reach the same ${document.reached} branches`,
      ...(copied === undefined ? [] : [`copied to ${copied}`]),
    ];
    output.out(json ? jsonLine(distillSchema, document) : `${lines.join('\n')}\n`);
    finish(status);
  });

const sizeOf = (captures: readonly Candidate[]): number =>
  captures.reduce((all, { bytes }) => all + bytes, 0);

async function requireNewFolder(folder: string): Promise<void> {
  if (folder === '-') throw new UsageError('-o takes the name of a new folder, not - (stdout)');
  if ((await stat(folder).catch(() => undefined)) !== undefined)
    throw new UsageError(`${folder}: already exists; name a new folder with -o`);
}

/**
 * Copies captures to a new folder, with their goldens, their modes, and the captures before them in a run: completely or not at all.
 * @param captures the name in the folder of each path.
 * @throws {UsageError} when two captures would have one name, and when a file cannot be copied.
 */
export async function copyCaptures(captures: ReadonlyMap<string, string>, folder: string): Promise<void> {
  const sources = new Map<string, string>();
  for (const [path, name] of captures) {
    if (isS3Url(path)) throw new UsageError(`${path}: only files are copied; leave -o out`);
    const target = name === path.replaceAll(sep, '/') ? basename(path) : name;
    const other = sources.get(target);
    if (other !== undefined)
      throw new UsageError(`${other} and ${path} have the same name; name the folder that contains both`);
    sources.set(target, path);
  }
  const before = [...sources].flatMap(([name, path]) =>
    capturesBefore(name).map((one, i) => [one, capturesBefore(path)[i] ?? one] as const),
  );
  let temporary: string | undefined;
  try {
    temporary = await mkdtemp(join(dirname(folder), '.parley-distill-'));
    for (const [name, path] of new Map([...sources, ...before])) {
      const target = join(temporary, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await copyFile(path, target);
      const golden = goldenPath(path);
      if ((await stat(golden).catch(() => undefined)) !== undefined)
        await copyFile(golden, goldenPath(target));
    }
    await requireNewFolder(folder);
    await rename(temporary, folder);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    const reason = writeErrorReason(error);
    if (reason === undefined) throw error;
    throw new UsageError(`${folder}: ${reason}`, { cause: error });
  }
}

/** A capture that can be kept. */
export interface Candidate {
  readonly path: string;
  /** The size of its file. */
  bytes: number;
  /** The numbers of the branches that it reaches. */
  readonly reached: readonly number[];
}

/**
 * Selects captures that reach the same branches as all, in the order of their paths: takes the capture that adds the most branches, again and again. Of equal captures,
 * the smallest is taken, so that the same captures always give the same set.
 */
export function greedyCover(captures: readonly Candidate[]): Candidate[] {
  const missing = new Set(captures.flatMap(({ reached }) => reached));
  const taken: Candidate[] = [];
  const smallestFirst = [...captures].sort((a, b) => a.bytes - b.bytes || byPath(a, b));
  while (missing.size > 0) {
    let best: { readonly capture: Candidate; readonly added: number } | undefined;
    for (const capture of smallestFirst) {
      const added = capture.reached.filter((number) => missing.has(number)).length;
      if (added > (best?.added ?? 0)) best = { capture, added };
    }
    if (best === undefined) break;
    taken.push(best.capture);
    for (const number of best.capture.reached) missing.delete(number);
  }
  return taken.sort(byPath);
}

const byPath = (a: Candidate, b: Candidate): number => (a.path < b.path ? -1 : 1);
