import type { Command } from 'commander';
import type { ExitStatus } from './errors.ts';
import type { Output } from './output.ts';

/** Creates a command of the tool. The command calls `finish` with its exit status. */
export type CommandMaker = (output: Output, finish: (status: ExitStatus) => void) => Command;
