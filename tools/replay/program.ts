import { fileErrorReason } from '#node/fileErrorReason.ts';
import { errorLine } from '#shared/formatText.ts';
import { EXIT, type ExitStatus } from './base/errors.ts';
import { SIGNALS, SIGNAL_STATUS } from './base/interruption.ts';
import { processOutput } from './base/output.ts';
import type { ToolApp } from './adapter/toolApp.ts';
import { replayTool } from './replayTool.ts';
import { fstatSync, readSync, statSync } from 'node:fs';

/** A server, or a command with a result so far, listens for signals too, and ends the process itself. */
const handlesSignals = () => process.listenerCount('SIGTERM') > 1;

/** Whether the end of the process is intended: the work is done, or a signal or stdout ends it. */
let isEnding = false;

function end(status: ExitStatus): never {
  isEnding = true;
  process.exit(status);
}

/**
 * Runs the tool as this process: its arguments, its streams, its signals and its exit status (contract §1, §7).
 * @param own the app that is replayed without `--app`.
 */
export async function runProgram(own: ToolApp): Promise<void> {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      isEnding = true;
      // Status 0 would say that there is a result.
      if (!handlesSignals()) end(SIGNAL_STATUS[signal]);
    });
  }

  process.on('exit', () => {
    if (isEnding) return;
    // Status 0 would be a verdict, and 1 too.
    process.stderr.write(
      errorLine(
        'ended before the work was done; an adapter must not end the process or wait when it is loaded',
      ),
    );
    process.exitCode = EXIT.unusable;
  });

  // Without a reader, progress and events are lost; the command continues.
  process.stderr.on('error', () => undefined);

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      // The reader has read enough, like `head`. A server continues, and so does a command with a verdict: its exit status counts.
      if (!handlesSignals()) end(EXIT.fine);
      return;
    }
    process.stderr.write(errorLine(`stdout cannot be written: ${fileErrorReason(error)}`));
    end(EXIT.unusable);
  });

  if (isStdoutClosed()) {
    process.stderr.write(errorLine('stdout is closed; to discard the results, redirect it to /dev/null'));
    end(EXIT.unusable);
  }

  process.exitCode = await replayTool(process.argv.slice(2), processOutput, own);
  isEnding = true;
}

/**
 * Returns whether the process was started with a closed stdout (`>&-`). Node then opens /dev/null in its place, for reading and writing. A shell opens
 * it for writing only, so `> /dev/null` is not a closed stdout. When stderr is the same, the parent ignores all output.
 */
function isStdoutClosed(): boolean {
  return isReadableNull(process.stdout.fd) && !isReadableNull(process.stderr.fd);
}

function isReadableNull(fd: number): boolean {
  try {
    if (fstatSync(fd).rdev !== statSync('/dev/null').rdev) return false;
    readSync(fd, Buffer.alloc(1));
    return true;
  } catch {
    // It was opened for writing only, or the system has no /dev/null.
    return false;
  }
}
