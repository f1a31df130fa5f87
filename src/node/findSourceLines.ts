import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type SourceLinesData, type SourceLinesResult, sourceLinesSchema } from '#shared/ipc/sourceLines.ts';

/**
 * Finds the lines of source that ran in steps of a session, in a thread that replays the session with code that V8 counts.
 * @param folder the folder of the inspector's built files.
 * @returns the lines of each pair of steps, or why they cannot be found. It never rejects.
 */
export async function findSourceLines(
  folder: string,
  workerData: SourceLinesData,
): Promise<SourceLinesResult> {
  const thread = new Worker(join(folder, 'sourceLines.mjs'), { workerData });
  try {
    // An app that ends the thread sends nothing.
    const ended = once(thread, 'exit').then(() => [{ problem: 'the app ended the thread that replays it' }]);
    const [sent]: unknown[] = await Promise.race([once(thread, 'message'), ended]);
    return sourceLinesSchema.parse(sent);
  } catch (error) {
    return { problem: `the lines of source cannot be found: ${String(error).split('\n', 1).join('')}` };
  } finally {
    await thread.terminate();
  }
}
