import type { CommandMaker } from '../adapter/loadAdapter.ts';
import { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { systemClock } from '#shared/clock.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { readCapture } from '../read/readCapture.ts';
import { captureName } from '../read/stdin.ts';
import { EXIT } from '../base/errors.ts';
import { captureField, field, jsonDocument, jsonLine } from '../base/jsonDocument.ts';
import { type ComparisonReport, comparisonSchema } from '../net/comparison.ts';
import { waitForSignal } from '../base/interruption.ts';
import { ONE_CAPTURE, portOption, speed } from '../base/commandOptions.ts';
import { printWarnings } from '../base/output.ts';
import { readyLine } from './record.ts';

const serveSchema = jsonDocument('serve', 'the comparison of the client’s frames, at the end', {
  capture: captureField,
  connections: z.object({
    recorded: field.number('the number of connections of the capture'),
    played: field.number('the number of connections that were played to their end'),
  }),
  frames: comparisonSchema,
});

/** Creates the command `serve`, which acts as the platform of a capture for a live client (contract §7). */
export const serveCommand: CommandMaker = ({ output, finish }) =>
  new Command('serve')
    .description(
      'acts as the platform of a capture for a live client, until SIGINT or SIGTERM; ' +
        'exit status 1 when the client’s frames were not those in the capture',
    )
    .argument('<capture>', ONE_CAPTURE)
    .option('--port <n>', 'port on 127.0.0.1; 0 selects any free port', portOption('--port'), 0)
    .option('--speed <factor>', 'max, or a factor: 1 is the recorded speed', speed, 1)
    .option('--json', 'one JSON document on stdout at the end, and everything else on stderr')
    .action(async (given, options) => {
      const path = await oneCapture(given);
      const capture = captureName(path);
      const reader = await readCapture(path);
      // As `open` does: only what serves loads Fastify.
      const { readScript, startServe } = await import('../net/startServe.ts');
      const connections = await readScript(reader.records());
      printWarnings(output, reader.warnings);
      const print = (line: string) => output.err(`serve: ${line}\n`);
      const serve = await startServe({ ...options, connections, clock: systemClock(globalThis), print });
      const ready = readyLine(`${capture} is served`, serve);
      const signaled = waitForSignal();
      if (options.json) output.err(ready);
      else output.out(ready);
      await signaled;
      const report = serve.report();
      await serve.stop();
      if (options.json) output.out(jsonLine(serveSchema, { capture, ...report }));
      else print(summarize(report.frames));
      finish(report.frames.divergences.length > 0 ? EXIT.failed : EXIT.fine);
    });

const summarize = ({ recorded, same, different, extra, missing }: ComparisonReport): string =>
  `of ${recorded} recorded frames of the client, ${same} were received as recorded, ${different} differed, ` +
  `${missing} were not received; ${extra} were additional`;
