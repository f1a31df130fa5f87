import { fileErrorReason } from '#files/fileErrorReason.ts';
import { errorLine } from '#shared/errorLine.ts';
import { EXIT } from './base/errors.ts';
import { isStdoutClosed } from './base/isStdoutClosed.ts';
import { processOutput } from './base/output.ts';
import { replayTool } from './replayTool.ts';

/** A command with work to complete at the end listens for signals too, and ends the process itself. */
const handlesSignals = () => process.listenerCount('SIGTERM') > 1;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!handlesSignals()) process.exit(EXIT.fine);
  });
}

// Without a reader, progress and events are lost; the command continues.
process.stderr.on('error', () => undefined);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') {
    // The reader has read enough, like `head`. A server continues, and so does a command with a verdict: its exit status counts.
    if (!handlesSignals()) process.exit(EXIT.fine);
    return;
  }
  process.stderr.write(errorLine(`stdout cannot be written: ${fileErrorReason(error)}`));
  process.exit(EXIT.unusable);
});

if (isStdoutClosed()) {
  process.stderr.write(errorLine('stdout is closed; to discard the results, redirect it to /dev/null'));
  process.exit(EXIT.unusable);
}

process.exitCode = await replayTool(process.argv.slice(2), processOutput);
