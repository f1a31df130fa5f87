import { Command } from 'commander';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { createFold } from '../engine/fold.ts';
import { hashOf, outcomeOf } from '../engine/outcome.ts';
import { type FileReplay, replayFile } from '../engine/replayFile.ts';
import { createStoreEngine } from '../engine/throughStore.ts';
import { EXIT } from '../errors.ts';
import type { CommandMaker } from '../replayTool.ts';
import { listOf, oneOf, speed, wholeNumber } from './options.ts';

const PARTS = ['conversation', 'notifications', 'state'] as const;
const ENGINES = { fold: createFold, store: createStoreEngine } as const;

interface RunOptions {
  readonly until?: number;
  readonly at?: number;
  readonly speed: number;
  readonly engine: keyof typeof ENGINES;
  readonly hash?: true;
  readonly with?: ReadonlySet<(typeof PARTS)[number]>;
  readonly json?: true;
}

/** `run`: folds a capture through the app's own reducers, and says what came of it (contract §7). */
export const runCommand: CommandMaker = (output, finish) =>
  new Command('run')
    .description('folds a capture through the app’s own reducers')
    .argument('<capture>')
    .option('--until <updates>', 'stops after so many updates', wholeNumber('--until'))
    .option('--at <ms>', 'stops at this virtual time', wholeNumber('--at'))
    .option('--speed <factor>', 'max, or how many times faster than it was', speed, Infinity)
    .option('--engine <engine>', 'fold or store', oneOf('--engine', ['fold', 'store']), 'fold')
    .option('--hash', 'adds the hash of the outcome')
    .option('--with <parts>', `adds ${PARTS.join(', ')}`, listOf('--with', PARTS))
    .option('--json', 'one JSON document on stdout')
    .action(async (capture: string, options: RunOptions) => {
      const { until, at } = options;
      const done = await replayFile(capture, ENGINES[options.engine]({ until, at }));
      for (const warning of done.warnings) output.err(`warning: ${warning}\n`);
      const document = documentOf(capture, done, options);
      output.out(options.json ? `${JSON.stringify(document)}\n` : summaryOf(document));
      finish(EXIT.fine);
    });

function documentOf(capture: string, { replay, wallMs }: FileReplay, options: RunOptions) {
  const { conversation, connection, counts, notifications, virtualMs } = replay;
  return {
    capture,
    ...outcomeOf(replay),
    virtualMs,
    wallMs: Math.round(wallMs * 10) / 10,
    ...(options.hash && { hash: hashOf(replay) }),
    ...(options.with?.has('conversation') && { conversation: toSnapshot(conversation) }),
    ...(options.with?.has('notifications') && { notifications }),
    ...(options.with?.has('state') && { state: { connection, counts } }),
  };
}

/** The same for people: a line for each number. */
const summaryOf = (document: ReturnType<typeof documentOf>): string =>
  `${JSON.stringify(document, null, 2)}\n`;
