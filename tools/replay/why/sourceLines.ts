import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type SourceLinesData, type StepLines, sourceLinesSchema } from '#shared/ipc/sourceLines.ts';
import { bundleAdapter } from '../adapter/loadAdapter.ts';
import { BUILT, CHECKOUT } from '../base/bundleSource.ts';
import { UsageError } from '../base/errors.ts';

interface Options extends Pick<SourceLinesData, 'capture' | 'pairs'> {
  /** The path of an adapter's module; Parley by default. */
  readonly app: string | undefined;
}

/**
 * Returns the lines of source that ran in steps: replays a capture again, in a thread whose code V8 counts.
 * @throws {UsageError} when the capture or the adapter cannot be used, or the app's code throws while it is loaded.
 */
export async function sourceLines({ app, ...options }: Options): Promise<readonly StepLines[]> {
  if (options.pairs.length === 0) return [];
  if (app === undefined)
    return runThread({ bundle: join(BUILT, 'inspector', 'replayedApp.mjs'), root: CHECKOUT, ...options });
  const { file, remove } = await bundleAdapter(app);
  try {
    return await runThread({ bundle: file, root: process.cwd(), ...options });
  } finally {
    remove();
  }
}

async function runThread(workerData: SourceLinesData): Promise<readonly StepLines[]> {
  const thread = new Worker(join(BUILT, 'inspector', 'sourceLines.mjs'), { workerData });
  const [sent] = await once(thread, 'message');
  await thread.terminate();
  const result = sourceLinesSchema.parse(sent);
  if ('problem' in result) throw new UsageError(result.problem);
  return result.steps;
}
