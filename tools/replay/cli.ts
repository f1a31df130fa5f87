import { fileErrorReason } from '#files/fileErrorReason.ts';
import { errorLine } from '#shared/errorLine.ts';
import { EXIT } from './base/errors.ts';
import { processOutput } from './base/output.ts';
import { replayTool } from './replayTool.ts';

/** A command that has something to put in order first listens for signals too, and ends the process itself. */
const isServing = () => process.listenerCount('SIGTERM') > 1;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!isServing()) process.exit(EXIT.fine);
  });
}

// Progress and events are lost without a reader; the command goes on.
process.stderr.on('error', () => undefined);

// The answer's reader has read enough, as `head` does, or the disk is full. A server goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isServing()) return;
  if (error.code === 'EPIPE') process.exit(EXIT.fine);
  process.stderr.write(errorLine(`stdout cannot be written: ${fileErrorReason(error)}`));
  process.exit(EXIT.unusable);
});

process.exitCode = await replayTool(process.argv.slice(2), processOutput);
