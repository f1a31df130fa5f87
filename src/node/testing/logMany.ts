import { systemClock } from '#shared/clock.ts';
import { createLogger } from '../createLogger.ts';

// Logs the given number of different lines, prints "done" on stdout, and ends.
const { log, flush } = createLogger({ base: null, clock: systemClock(globalThis) });
for (let i = 0; i < Number(process.argv[2]); i++) log.info(`${i} ${'x'.repeat(80)}`);
setImmediate(() => {
  log.info('the last line');
  flush();
  process.stdout.write('done\n');
  setTimeout(() => process.exit(0), 20);
});
