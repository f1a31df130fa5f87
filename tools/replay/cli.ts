import { processOutput } from './output.ts';
import { replayTool } from './replayTool.ts';

// A command that has something to put in order first listens too, and ends the process itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(0);
  });
}

// Whoever reads the answer has read enough, as `head` does: there is nobody left to say anything to.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

process.exitCode = await replayTool(process.argv.slice(2), processOutput);
