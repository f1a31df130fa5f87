import { Command, Option } from 'commander';
import { systemClock } from '#shared/time/systemClock.ts';
import { driveFast, drivePaced } from '../engine/drive.ts';
import { createFold } from '../engine/createFold.ts';
import { oneCapture } from '../read/oneCapture.ts';
import { type FileReplay, replayFile } from '../engine/replayFile.ts';
import { captureName } from '../read/stdin.ts';
import { createStoreEngine } from '../engine/createStoreEngine.ts';
import { EXIT } from '../base/errors.ts';
import { fileProgress } from '../base/fileProgress.ts';
import type { Output } from '../base/output.ts';
import type { CommandMaker } from '../base/command.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { PARTS, type Wanted, documentJson, runDocument } from '../run/runDocument.ts';
import { runReport } from '../run/runReport.ts';
import { stepLine } from '../run/stepLine.ts';
import { writePieces } from '../run/writePieces.ts';
import { ONE_CAPTURE, listOf, milliseconds, oneOf, speed, wholeNumber } from '../base/commandOptions.ts';

const ENGINES = { fold: createFold, store: createStoreEngine } as const;

interface RunOptions extends Wanted {
  readonly until?: number;
  readonly at?: number;
  readonly speed: number;
  readonly engine: keyof typeof ENGINES;
  readonly json?: true;
}

/** Creates the command `run`, which folds a capture through the app's own reducers and prints the result (contract §7). */
export const runCommand: CommandMaker = (output, finish) =>
  new Command('run')
    .description('folds a capture through the app’s own reducers and prints the result')
    .argument('<capture>', ONE_CAPTURE)
    .option('--until <updates>', 'stops after this number of updates', wholeNumber('--until'))
    .option(
      '--at <ms>',
      'stops at this time, in milliseconds since the start of the recording',
      milliseconds('--at'),
    )
    .addOption(
      new Option(
        '--speed <factor>',
        'max, 1 for the recorded speed, 10 for ten times as fast; below max, each update is printed as it happens',
      )
        .argParser(speed)
        .default(Infinity, 'max'),
    )
    .option(
      '--engine <engine>',
      'fold (fast) or store (the app’s store and queue); both give the same result',
      oneOf('--engine', ['fold', 'store']),
      'fold',
    )
    .option(
      '--hash',
      'adds the hash of the result: the same on every machine, with every engine and at every speed',
    )
    .option('--with <parts>', `adds ${PARTS.join(', ')}; separated by commas`, listOf('--with', PARTS))
    .option('--json', 'one JSON document on stdout')
    .action(async (given: string, options: RunOptions) => {
      const capture = await oneCapture(given);
      const done = await replayed(capture, options, output);
      printWarnings(output, done.warnings);
      const document = await runDocument(captureName(capture), done, options);
      await writePieces(output, options.json ? documentJson(document) : runReport(document, done));
      finish(EXIT.fine);
    });

async function replayed(capture: string, options: RunOptions, output: Output): Promise<FileReplay> {
  const { until, at, json } = options;
  const isPaced = options.speed < Infinity;
  const printsSteps = isPaced && !json;
  const engine = ENGINES[options.engine]({
    until,
    at,
    ...(printsSteps && { onStep: (step) => output.out(stepLine(step)) }),
  });
  if (isPaced) {
    const drive = drivePaced({ clock: systemClock(globalThis), speed: options.speed, at });
    return replayFile(capture, engine, { drive });
  }
  const progress = await fileProgress(output, capture);
  try {
    return await replayFile(capture, engine, { drive: driveFast, onRead: progress.onRead });
  } finally {
    progress.end();
  }
}
