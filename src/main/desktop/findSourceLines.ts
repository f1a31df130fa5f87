import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '#shared/clock.ts';
import {
  type SourceLinesData,
  type StepLines,
  type StepPair,
  sourceLinesSchema,
} from '#shared/ipc/sourceLines.ts';

/** The longest time that a thread may take: the session is replayed again. */
const LIMIT_MS = 60_000;

interface Options {
  /** The folder with the inspector's built files. */
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Finds the lines of source that ran in a step of a session, in a thread that replays the session with the code that V8 counts.
 * @param session the lines of the session's capture.
 * @returns the lines, or why they cannot be found.
 */
export async function findSourceLines(
  session: string,
  pair: StepPair,
  { folder, clock }: Options,
): Promise<StepLines | { readonly error: string }> {
  const workerData: SourceLinesData = {
    bundle: join(folder, 'replayedApp.mjs'),
    root: resolve(folder, '../..'),
    capture: { name: 'the session', text: session },
    pairs: [pair],
  };
  const thread = new Worker(join(folder, 'sourceLines.mjs'), { workerData });
  const cancel = clock.after(LIMIT_MS, () => void thread.terminate());
  try {
    const ended = once(thread, 'exit').then(() => []);
    const [sent] = await Promise.race([once(thread, 'message'), ended]);
    const { data } = sourceLinesSchema.safeParse(sent);
    if (data === undefined) return { error: 'The lines of source were not found in time.' };
    if ('problem' in data) return { error: data.problem };
    return data.steps[0] ?? { of: 'all', lines: [] };
  } catch (error) {
    return { error: `The lines of source cannot be found: ${String(error)}` };
  } finally {
    cancel();
    await thread.terminate();
  }
}
